"""Code actions before the whole server is there: answered at once, and nothing else is lost or overtaken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from certo.daemon.first_answers import FirstAnswers
from certo.daemon.framing import Frames
from certo.daemon.handshake import Greeting
from support.lsp.editor_profiles import EDITORS, capabilities
from support.lsp.peer import CERTO, lsp_peer

URI = "file:///half.py"
STUB = 'def half(n):\n    """Half."""\n    raise NotImplementedError\n\n\ndef third(n):\n    return n // 2\n'
LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}


class Client:
    """A client's ends of two pipes, with the answers to what it sends before the whole server is there."""

    def __init__(self, **client: Any) -> None:
        source, self._ours = os.pipe()
        self._theirs, sink = os.pipe()
        os.set_blocking(self._theirs, False)
        params = {"capabilities": client or {"textDocument": {"codeAction": LITERALS}}}
        self.greeting = Greeting(params, source, sink, Frames())
        self.first = FirstAnswers(self.greeting)
        self.descriptors = (source, self._ours, self._theirs, sink)
        self._frames = Frames()

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages, and let the server hear them."""
        for message in messages:
            body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
            os.write(self._ours, self._frames.wrap(body))
        self.first.hear()

    @property
    def answers(self) -> dict[int, Any]:
        """The results that have come."""
        try:
            self._frames.feed(os.read(self._theirs, 1 << 16))
        except BlockingIOError:
            return {}
        messages = [json.loads(body) for body in self._frames.bodies() if isinstance(body, bytes)]
        return {message["id"]: message["result"] for message in messages}

    @property
    def kept(self) -> list[Any]:
        """The methods of the messages that wait for the whole server."""
        bodies = [json.loads(body) for body in self.greeting.unanswered if isinstance(body, bytes)]
        return [body.get("method", body) if isinstance(body, dict) else body for body in bodies]


@pytest.fixture
def client() -> Iterator[Client]:
    """Yield a client that knows code action literals."""
    client = Client()
    yield client
    for descriptor in client.descriptors:
        os.close(descriptor)


def opened(text: str = STUB, language: str = "python") -> dict[str, Any]:
    document = {"uri": URI, "languageId": language, "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def asked(id_: int, line: int = 0, **context: Any) -> dict[str, Any]:
    place = {"line": line, "character": 5}
    params = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}}
    context = {"diagnostics": [], **context}
    return {"id": id_, "method": "textDocument/codeAction", "params": {**params, "context": context}}


def test_code_actions_are_answered_at_once(client: Client) -> None:
    client.send({"method": "initialized", "params": {}}, opened(), asked(2), asked(3, line=6), asked(4, line=4))
    answers = client.answers
    assert [action["title"] for action in answers[2]] == ["Certo: implement `half` and verify"]
    assert [action["title"] for action in answers[3]] == [
        "Certo: repair `third` until its tests pass",
        "Certo: write tests for `third`",
        "Certo: make `third` faster",
    ]
    assert answers[4] is None
    assert client.kept == ["initialized", "textDocument/didOpen"]


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(asked(2, line=-1), id="no line"),
        pytest.param(asked(2, only="refactor"), id="no list"),
        pytest.param(asked(2, triggerKind=3), id="no trigger"),
        pytest.param(asked(2, triggerKind=[]), id="a list as trigger"),
        pytest.param(asked(2, diagnostics=[{"message": "odd"}]), id="at a problem"),
        pytest.param({"id": 2, "method": "textDocument/codeAction", "params": []}, id="no params"),
        pytest.param({"id": 2, "method": "textDocument/hover", "params": {}}, id="another request"),
        pytest.param(b"{", id="no message"),
    ],
)
def test_other_messages_wait_and_stop_nothing(client: Client, request_: Any) -> None:
    client.send(opened())
    before = len(client.greeting.unanswered)
    client.send(request_, asked(3))
    assert set(client.answers) == {3}
    assert len(client.greeting.unanswered) == before + 1


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"id": 9, "method": "workspace/executeCommand", "params": {"command": "x"}}, id="a command"),
        pytest.param({"method": "textDocument/didChange", "params": {}}, id="a change"),
        pytest.param({"id": 9, "method": "shutdown"}, id="the end"),
        pytest.param({"method": "textDocument/didOpen", "params": {}}, id="an unreadable document"),
    ],
)
def test_nothing_is_answered_after_what_may_matter(client: Client, message: dict[str, Any]) -> None:
    client.send(opened(), message, asked(2))
    client.send(asked(3))
    assert client.answers == {}
    # What has not been read yet waits in the pipe.
    assert client.kept == ["textDocument/didOpen", message["method"], "textDocument/codeAction"]


def test_clients_that_read_nothing_block_nothing(client: Client) -> None:
    client.send(opened())
    for number in range(1000):
        client.send(asked(number))
    assert "textDocument/codeAction" in client.kept
    answered = 1000 - client.kept.count("textDocument/codeAction")
    assert answered > 0


@pytest.mark.parametrize("editor", [EDITORS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in EDITORS[1:])])
async def test_whole_server_answers_the_same(editor: str, tmp_path: Path) -> None:
    """The first answer comes before the whole server is there, the second after it has answered something else."""
    async with lsp_peer(CERTO) as peer:
        told = await peer.initialize(editor, root=tmp_path, client=capabilities(editor))
        assert told["capabilities"]["codeActionProvider"]
        uri = (tmp_path / "half.py").as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": STUB}
        await peer.notify("textDocument/didOpen", {"textDocument": document})
        selected = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 9}}
        params = {"textDocument": {"uri": uri}, "range": selected, "context": {"diagnostics": []}}
        first = await peer.request("textDocument/codeAction", params)
        cursor = {"textDocument": {"uri": uri}, "position": selected["start"]}
        await peer.request("textDocument/hover", cursor)
        assert first
        assert await peer.request("textDocument/codeAction", params) == first


def test_first_answers_import_nothing_heavy() -> None:
    program = "import certo.daemon.first_answers, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"lsprotocol", "pydantic", "cattrs", "asyncio", "certo.sessions", "certo.search", "certo.verification"}
    assert heavy & set(ran.stdout.split()) == set()
