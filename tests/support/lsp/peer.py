"""An editor's end of LSP over the standard streams of a real process, which checks every frame in both directions.

    async with lsp_peer() as peer:
        await peer.initialize("neovim", root=tmp_path)
        peer.replies["workspace/applyEdit"] = lambda params: {"applied": False}
        await peer.notify("textDocument/didOpen", {"textDocument": {...}})
        actions = await peer.request("textDocument/codeAction", {...})
        progress = await peer.wait_for("$/progress", lambda params: params["value"]["kind"] == "end")

Leaving the block shuts the server down the way an editor does, unless the test has ended it already, and then fails
the test for every frame that breaks LSP's metamodel or our own schema, for every question the declared capabilities do
not allow, for every request that was never answered, and for every traceback in the server's log. `send_bytes` is the
one way to say what the metamodel forbids.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import ByteStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream

from support.lsp.editor_profiles import capabilities
from support.lsp.metamodel import metamodel
from support.lsp.wire_contract import contract
from support.projects.bare_environment import bare_environ

CERTO = (sys.executable, "-m", "certo", "serve")
"""The command an editor starts."""

PATIENCE = 500.0
"""Seconds after which an answer is taken for lost; little less than a test may take, for the machine may be busy."""

Message = dict[str, Any]

_NEEDED = {
    "certo/model/ask": ("experimental", "certo", "model"),
    "certo/secret": ("experimental", "certo", "secrets"),
    "window/workDoneProgress/create": ("window", "workDoneProgress"),
    "window/showDocument": ("window", "showDocument", "support"),
    "window/showMessageRequest": ("window", "showMessage", "messageActionItem"),
    "workspace/applyEdit": ("workspace", "applyEdit"),
    "workspace/configuration": ("workspace", "configuration"),
    "workspace/workspaceFolders": ("workspace", "workspaceFolders"),
    "workspace/codeLens/refresh": ("workspace", "codeLens", "refreshSupport"),
    "workspace/inlayHint/refresh": ("workspace", "inlayHint", "refreshSupport"),
}
"""What a client must have declared before a server may ask it."""


SILENCE = object()
"""In `replies`, makes the peer not answer at all."""


class Refusal(Exception):
    """An error as the answer of the other side. Raise it in one of `replies` to answer with one."""

    def __init__(self, code: int, message: str, extra: Any = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.extra = extra


class Peer:
    """One conversation with one server process: over its standard streams, or over a `line` of another kind."""

    def __init__(self, process: Process, line: ByteStream | None = None) -> None:
        self.process = process
        self.line = line
        self.capabilities: Message = {}
        self.received: list[Message] = []
        """Every message from the server, oldest first."""
        self.violations: list[str] = []
        self.log = ""
        """What the server wrote to standard error so far."""
        self.tracebacks_expected = False
        self.gone = anyio.Event()
        """Set when the server has closed its end."""
        self.is_certo = True
        """Whether what the server offers is certo's own, so that our schema has a say."""
        self.replies: dict[str, Any] = {
            "client/registerCapability": lambda _params: None,
            "client/unregisterCapability": lambda _params: None,
            "window/showDocument": lambda _params: {"success": True},
            "window/showMessageRequest": lambda _params: None,
            "window/workDoneProgress/create": lambda _params: None,
            "workspace/applyEdit": lambda _params: {"applied": True},
            "workspace/codeLens/refresh": lambda _params: None,
            "workspace/inlayHint/refresh": lambda _params: None,
            "workspace/configuration": lambda params: [None for _ in params["items"]],
            "workspace/workspaceFolders": lambda _params: None,
        }
        """How requests of the server are answered: method to a function from params to result, or SILENCE."""
        self._pending: dict[int | str, str] = {}
        self._asked: dict[int | str, str] = {}
        self._answers: dict[int | str, Message] = {}
        self._taken: set[int] = set()
        self._news = anyio.Event()
        self._reading = anyio.Event()
        self._reading.set()
        self._last_id = 0
        self._sending = anyio.Lock()
        self._speaks_certo = False

    async def initialize(
        self,
        editor: str = "visual_studio_code",
        *,
        root: Path | None = None,
        process: int | None = None,
        client: Message | None = None,
        **more: Any,
    ) -> Any:
        """Initialize as `editor` would, or with the capabilities of `client`, and return the server's result."""
        self.declare(capabilities(editor) if client is None else client, more.get("initializationOptions"))
        folder = None if root is None else {"uri": root.as_uri(), "name": root.name}
        params: Message = {
            "processId": os.getpid() if process is None else process,
            "rootUri": None if folder is None else folder["uri"],
            "workspaceFolders": None if folder is None else [folder],
            "capabilities": self.capabilities,
            **more,
        }
        result = await self.request("initialize", params)
        await self.notify("initialized", {})
        return result

    def declare(self, client: Message, options: Message | None = None) -> None:
        """Hold the server to this client's capabilities and options."""
        self.capabilities = client
        asked = [(client.get("experimental") or {}).get("certo"), (options or {}).get("certo")]
        self._speaks_certo = any(isinstance(ours, dict) and "versions" in ours for ours in asked)

    async def request(self, method: str, params: Any = None, *, patience: float = PATIENCE) -> Any:
        """Send a request, wait, and return the result.

        Raises:
            Refusal: the answer was an error.
            TimeoutError: there was none within `patience` seconds.
        """
        return await self.answer(await self.ask(method, params), patience=patience)

    async def ask(self, method: str, params: Any = None) -> int:
        """Send a request without waiting, and return its id for `answer`."""
        self._last_id += 1
        message: Message = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        if params is not None:
            message["params"] = params
        await self.send(message)
        return self._last_id

    async def answer(self, id_: int | str, *, patience: float = PATIENCE) -> Any:
        """Wait for the answer to an earlier request; raises as `request` does."""
        with anyio.fail_after(patience):
            while id_ not in self._answers:
                await self._news.wait()
        answer = self._answers[id_]
        if "error" in answer:
            raise Refusal(answer["error"]["code"], answer["error"]["message"], answer["error"].get("data"))
        return answer["result"]

    async def refusal(self, id_: int | str, *, patience: float = PATIENCE) -> Refusal:
        """Wait for the answer to a request, which must be an error, and return it."""
        try:
            result = await self.answer(id_, patience=patience)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"{id_!r} was answered with {result!r} instead of an error")

    async def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        await self.send({"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params}))

    async def cancel(self, id_: int) -> None:
        """Send `$/cancelRequest`."""
        await self.notify("$/cancelRequest", {"id": id_})

    async def send(self, message: Message) -> None:
        """Send any message, checked against the metamodel first."""
        self._check(message, "client")
        if "id" in message and "method" in message:
            self._pending[message["id"]] = message["method"]
        await self.send_bytes(frame(message))

    async def send_bytes(self, sent: bytes) -> None:
        """Send bytes as they are, unchecked."""
        line = self.line or self.process.stdin
        assert line is not None
        async with self._sending:  # an answer to the server may be on its way
            await line.send(sent)

    def expect(self, id_: int | str, method: str = "") -> None:
        """Announce that a request sent by `send_bytes` will be answered."""
        self._pending[id_] = method
        self._answers.pop(id_, None)

    async def wait_for(
        self, method: str, where: Callable[[Any], bool] = lambda _params: True, *, patience: float = PATIENCE
    ) -> Any:
        """Return the params of the oldest message of that method that `where` accepts; each message is given once."""

        def fits(message: Message) -> bool:
            return message.get("method") == method and where(message.get("params"))

        return (await self.wait_for_message(fits, patience=patience)).get("params")

    async def wait_for_nameless_error(self) -> Refusal:
        """Return the oldest error about a message with an unreadable id; each is given once."""
        message = await self.wait_for_message(lambda message: "error" in message and message["id"] is None)
        return Refusal(message["error"]["code"], message["error"]["message"])

    async def wait_for_message(self, fits: Callable[[Message], bool], *, patience: float = PATIENCE) -> Message:
        """Return the oldest message from the server that fits; each is given once."""
        with anyio.fail_after(patience):
            while True:
                for index, message in enumerate(self.received):
                    if index not in self._taken and fits(message):
                        self._taken.add(index)
                        return message
                await self._news.wait()

    async def wait_for_log(self, text: str, *, patience: float = PATIENCE) -> None:
        """Wait until the server has logged `text`, which works even while its messages are not read."""
        with anyio.fail_after(patience):
            while text not in self.log:
                await self._news.wait()

    def forget(self) -> None:
        """Drop all messages, answers and log lines so far, when there are so many that they add up."""
        self.log = ""
        self.received.clear()
        self._taken.clear()
        self._answers.clear()

    def pause(self) -> None:
        """Stop reading what the server sends, as an editor that hangs does."""
        self._reading = anyio.Event()

    def resume(self) -> None:
        """Go on reading."""
        self._reading.set()

    async def close_input(self) -> None:
        """Close the server's standard input."""
        assert self.process.stdin is not None
        await self.process.stdin.aclose()

    async def shut_down(self) -> int:
        """End the server as an editor does, and return its exit code."""
        await self.request("shutdown")
        await self.notify("exit")
        return await self.ended()

    async def ended(self, *, patience: float = PATIENCE) -> int:
        """Wait for the end of the process, and return its exit code."""
        with anyio.fail_after(patience):
            return await self.process.wait()

    async def read(self) -> None:
        """Read the server's messages until it stops; `lsp_peer` runs this in the background."""
        line = self.line or self.process.stdout
        assert line is not None
        stream = BufferedByteReceiveStream(line)
        try:
            while True:
                await self._reading.wait()
                head = await stream.receive_until(b"\r\n\r\n", 1024)
                name, _, length = head.partition(b": ")
                if name != b"Content-Length":
                    self.violations.append(f"not a header of ours: {head!r}")
                    return
                await self._hear(json.loads(await stream.receive_exactly(int(length))))
        except (anyio.EndOfStream, anyio.IncompleteRead, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return
        finally:
            self.gone.set()

    async def read_log(self) -> None:
        """Read the server's log until it stops; `lsp_peer` runs this in the background."""
        assert self.process.stderr is not None
        async for chunk in self.process.stderr:
            self.log += chunk.decode("utf-8", "replace")
            self._tell()

    def forgive(self) -> None:
        """Expect no more answers to earlier requests: the test has cut the connection."""
        self._pending.clear()

    def settle(self) -> None:
        """Fail for every violation."""
        if self.process.returncode == 0 or self.line is not None:
            self.violations += [f"{method} ({id_!r}) was never answered" for id_, method in self._pending.items()]
        if "Traceback" in self.log and not self.tracebacks_expected:
            self.violations.append("a traceback in the log")
        assert not self.violations, "\n".join([*self.violations, "the server's log:", self.log])

    async def _hear(self, message: Message) -> None:
        self._check(message, "server")
        if str(message.get("method")).startswith("certo/") and not self._speaks_certo:
            self.violations.append(f"{message['method']} was sent to a client that did not ask for certo's protocol")
        self.received.append(message)
        if "method" not in message:
            if message["id"] is not None:
                self._pending.pop(message["id"], None)
                self._answers[message["id"]] = message
        elif "id" in message:
            await self._reply(message)
        self._tell()

    def _tell(self) -> None:
        """Wake all that wait for something."""
        self._news.set()
        self._news = anyio.Event()

    async def _reply(self, message: Message) -> None:
        id_, method = message["id"], message["method"]
        if not self._declared(method):
            self.violations.append(f"{method} was asked of a client that does not offer it")
        self._asked[id_] = method
        if self.replies.get(method) is SILENCE:
            return
        reply: Message = {"jsonrpc": "2.0", "id": id_}
        try:
            if method not in self.replies:
                raise Refusal(-32601, f"this editor does not know {method}")
            reply["result"] = self.replies[method](message.get("params"))
        except Refusal as refusal:
            reply["error"] = {"code": refusal.code, "message": refusal.message}
        try:
            await self.send(reply)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # the server has left without waiting for the answer, which it may
        finally:
            self._asked.pop(id_)

    def _declared(self, method: str) -> bool:
        declared: Any = self.capabilities
        for name in _NEEDED.get(method, ()):
            declared = declared.get(name) if isinstance(declared, dict) else None
        return bool(declared)

    def _check(self, message: Message, sender: Any) -> None:
        waiting = self._asked if sender == "client" else self._pending
        for violation in metamodel().message(message, sender, waiting):
            self.violations.append(f"the {sender} sent {json.dumps(message)[:300]}: {violation}")
        for violation in contract().violations(message, self._pending) if sender == "server" and self.is_certo else ():
            self.violations.append(f"the server sent {json.dumps(message)[:300]}: {violation}")


def frame(message: Any) -> bytes:
    """Put a message into its frame."""
    body = json.dumps(message, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@asynccontextmanager
async def lsp_peer(
    command: Sequence[str] = CERTO, *, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> AsyncIterator[Peer]:
    """Start a server and yield its peer; the module's docstring says what leaving does."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = await anyio.open_process(list(command), cwd=cwd, env=environment or bare_environ(), **streams)
    peer = Peer(process)
    peer.is_certo = tuple(command[1:3]) == CERTO[1:3]
    try:
        async with anyio.create_task_group() as background:
            background.start_soon(peer.read)
            background.start_soon(peer.read_log)
            yield peer
            peer.resume()
            if process.returncode is None and peer.capabilities:
                await peer.shut_down()
            elif process.returncode is None:
                await peer.close_input()
                await peer.ended()
    finally:
        with anyio.CancelScope(shield=True):
            if process.returncode is None:
                process.kill()
            await process.aclose()
    peer.settle()
