"""A small client of the whole protocol, built on protocol.md and on nothing of certo's.

    async with client_of(root) as client:
        uri = await client.open(root / "till.py")
        search = await client.ask("certo/search/start", uri=uri, qualname="total", key="1")
        async for event in client.events(search["searchId"]):
            print(event["type"])

It counts characters in code points (`utf-32`), keeps the text of its documents, and applies the edits it is asked to
apply, for the version it has and no other.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectSendStream

Object = dict[str, Any]

PATIENCE = 500.0
"""Seconds after which an answer is taken for lost."""

CAPABILITIES: Object = {
    "general": {"positionEncodings": ["utf-32"]},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
}
"""What this client can do as any client of LSP."""


class Failed(Exception):
    """An error as the answer to a request; `name` is certo's name of the error, if it has one."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.told: Mapping[str, Any] = error.get("data") or {}
        self.name: str | None = self.told.get("name")


@dataclass
class Document:
    """An open document."""

    version: int
    text: str


class Client:
    """One conversation, over any two streams of bytes."""

    def __init__(self, reading: ByteReceiveStream, writing: ByteSendStream, group: TaskGroup) -> None:
        self.documents: dict[str, Document] = {}
        self.agreed: Object | None = None
        """What the server said of certo's own protocol: its version, the methods there are."""
        self.capabilities: Object = {}
        """What the server can do."""
        self.told: list[Object] = []
        """Every notification that belongs to no request, oldest first."""
        self.answers: dict[str, Callable[[Any], Awaitable[Any]]] = {"workspace/applyEdit": self._apply}
        """What answers the server's requests, by method; any other is answered as unknown."""
        self._reading = BufferedByteReceiveStream(reading)
        self._writing = writing
        self._group = group
        self._turn = anyio.Lock()
        self._numbers = count(1)
        self._answered: dict[int, Object] = {}
        self.news = anyio.Event()
        """Set when anything has come from the server; there is a fresh one then."""
        self._streams: dict[str, MemoryObjectSendStream[Object]] = {}
        self._attached: dict[int, str] = {}

    async def initialize(
        self, root: Path, *, asking: Object | None = None, settings: Object | None = None, **options: Any
    ) -> None:
        """Initialize the server; `asking` is the request for certo's own protocol, by default for version 1 of it."""
        own = {"versions": [1]} if asking is None else asking
        answer = await self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
                "capabilities": {**CAPABILITIES, "experimental": {"certo": own}},
                "initializationOptions": {"settings": settings or {}, **options},
            },
        )
        self.capabilities = answer["capabilities"]
        self.agreed = (self.capabilities.get("experimental") or {}).get("certo")
        await self.notify("initialized", {})

    async def ask(self, method: str, **params: Any) -> Any:
        """Send a request with params by name, and return the result."""
        return await self.request(method, params)

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request, wait, and return the result.

        Raises:
            Failed: the answer was an error.
        """
        return await self._answer_to(await self._send_request(method, params))

    async def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        await self._send({"method": method, "params": params})

    async def command(self, name: str, **argument: Any) -> Any:
        """Run a command, which takes one object, and return its result."""
        return await self.ask("workspace/executeCommand", command=name, arguments=[argument])

    async def open(self, path: Path, text: str | None = None) -> str:
        """Open a document with the text of its file, or with another text, and return its URI."""
        text = (await anyio.Path(path).read_bytes()).decode() if text is None else text
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.documents[path.as_uri()] = Document(1, text)
        await self.notify("textDocument/didOpen", {"textDocument": document})
        return path.as_uri()

    async def change(self, uri: str, text: str) -> None:
        """Give a document another text."""
        document = self.documents[uri] = Document(self.documents[uri].version + 1, text)
        named = {"uri": uri, "version": document.version}
        await self.notify("textDocument/didChange", {"textDocument": named, "contentChanges": [{"text": text}]})

    async def events(self, search: str, after: int = 0) -> AsyncIterator[Object]:
        """Yield the events of a search with numbers above `after`, as they come, until it has ended.

        To stop earlier, close this iterator, which detaches.
        """
        token = f"events-{next(self._numbers)}"
        self._streams[token], stream = anyio.create_memory_object_stream[Object](math.inf)
        params = {"searchId": search, "fromSeq": after, "partialResultToken": token}
        number = await self._send_request("certo/search/attach", params, token=token)
        try:
            with stream:
                async for event in stream:
                    yield event
            for event in (await self._answer_to(number))["events"]:
                yield event
        finally:
            if self._attached.pop(number, None) is not None:
                self._streams.pop(token).close()
                await self.notify("$/cancelRequest", {"id": number})

    async def leave(self) -> None:
        """End the conversation properly."""
        await self.request("shutdown")
        await self._send({"method": "exit"})

    async def listen(self) -> None:
        """Read the server's messages until it sends no more; runs beside everything else."""
        while True:
            try:
                head = await self._reading.receive_until(b"\r\n\r\n", 4096)
                length = re.search(rb"Content-Length: (\d+)", head)
                assert length is not None, head
                message = json.loads(await self._reading.receive_exactly(int(length[1])))
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.ClosedResourceError):
                return
            self._hear(message)

    def _hear(self, message: Object) -> None:
        if "method" not in message:
            self._answered[message["id"]] = message
            if (token := self._attached.pop(message["id"], None)) is not None:
                self._streams.pop(token).close()
        elif "id" in message:
            self._group.start_soon(self._reply, message)
        elif message["method"] == "$/progress" and message["params"]["token"] in self._streams:
            for event in message["params"]["value"]:
                self._streams[message["params"]["token"]].send_nowait(event)
        else:
            self.told.append(message)
        self._tell()

    def _tell(self) -> None:
        """Wake all that wait for something."""
        self.news.set()
        self.news = anyio.Event()

    async def _reply(self, asked: Object) -> None:
        """Answer a request of the server's."""
        answer = self.answers.get(asked["method"])
        if answer is None:
            error = {"code": -32601, "message": f"this client does not know {asked['method']}"}
            await self._send({"id": asked["id"], "error": error})
        else:
            await self._send({"id": asked["id"], "result": await answer(asked.get("params"))})
            self._tell()

    async def _apply(self, params: Object) -> Object:
        """Apply an edit to documents that are open in the version it is for, or refuse it whole.

        The change is told before the answer, as editors do.
        """
        changes = params["edit"]["documentChanges"]
        for change in changes:
            named = change["textDocument"]
            document = self.documents.get(named["uri"])
            if document is None or document.version != named["version"]:
                return {"applied": False, "failureReason": f"{named['uri']} is not at version {named['version']}"}
        for change in changes:
            uri = change["textDocument"]["uri"]
            await self.change(uri, edited(self.documents[uri].text, change["edits"]))
        return {"applied": True}

    async def _send_request(self, method: str, params: Any, *, token: str | None = None) -> int:
        number = next(self._numbers)
        if token is not None:
            self._attached[number] = token
        await self._send({"id": number, "method": method, **({} if params is None else {"params": params})})
        return number

    async def _answer_to(self, number: int) -> Any:
        with anyio.fail_after(PATIENCE):
            while number not in self._answered:
                await self.news.wait()
        answer = self._answered.pop(number)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    async def _send(self, message: Object) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        async with self._turn:
            await self._writing.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def edited(text: str, edits: Sequence[Object]) -> str:
    """Return a text with the edits of LSP applied, all of which refer to the original text."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]

    def offset(position: Object) -> int:
        return int(starts[position["line"]] + position["character"])

    def start(edit: Object) -> int:
        return offset(edit["range"]["start"])

    for edit in sorted(edits, key=start, reverse=True):
        text = text[: start(edit)] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


@asynccontextmanager
async def client_of(
    root: Path,
    *,
    environment: Mapping[str, str] | None = None,
    settings: Object | None = None,
    kind: type[Client] = Client,
    **options: Any,
) -> AsyncIterator[Client]:
    """Yield a client of its own daemon, in a project; leaving ends both, and the daemon must exit without an error."""
    command = (sys.executable, "-m", "certo", "serve")
    streams = {"cwd": root, "env": environment, "stderr": subprocess.DEVNULL}
    async with await anyio.open_process(command, **streams) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        async with anyio.create_task_group() as group:
            client = kind(process.stdout, process.stdin, group)
            group.start_soon(client.listen)
            await client.initialize(root, settings=settings, **options)
            yield client
            await client.leave()
            with anyio.fail_after(PATIENCE):
                assert await process.wait() == 0
