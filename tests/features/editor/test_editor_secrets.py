"""The editor is asked for a key over the daemon's own protocol, and no answer is logged."""

from __future__ import annotations

import json
import logging
from typing import Any

import anyio
import pytest

from certo.daemon.server import Server
from certo.features.editor.session import EditorSession
from certo.features.table import register
from certo.sessions.searches import Searches

CANARY = "sk-canary-4f9a67d02d2ec5840726a"


class Editor:
    """An editor at the other end that answers each request for a secret with a given reply."""

    def __init__(self, group: anyio.abc.TaskGroup, answer: dict[str, Any]) -> None:
        self.asked: list[Any] = []
        self._answer = answer
        server = Server()
        self.desk = EditorSession(server, group, Searches(group))
        register(server, self.desk)
        server.protocol.set_writer(self)
        self._receive = server.protocol.receive

    def write(self, frame: bytes) -> None:
        message = json.loads(frame.partition(b"\r\n\r\n")[2])
        self.asked.append((message["method"], message["params"]))
        answer = {"jsonrpc": "2.0", "id": message["id"], **self._answer}
        self._receive(json.dumps(answer).encode())


async def ask(answer: dict[str, Any], *, offered: bool = True) -> tuple[str | None, Editor]:
    async with anyio.create_task_group() as group:
        editor = Editor(group, answer)
        editor.desk.secrets.offered = offered
        with anyio.fail_after(100):
            found = await editor.desk.secrets.ask("openai", "OPENAI_API_KEY")
        group.cancel_scope.cancel()
    return found, editor


async def test_editor_is_asked_for_the_named_key():
    found, editor = await ask({"result": {"secret": CANARY}})
    assert found == CANARY
    assert editor.asked == [("certo/secret", {"provider": "openai", "name": "OPENAI_API_KEY"})]


async def test_editors_without_secret_storage_are_not_asked():
    found, editor = await ask({"result": {"secret": CANARY}}, offered=False)
    assert (found, editor.asked) == (None, [])


@pytest.mark.parametrize(
    "answer",
    [
        {"result": None},
        {"result": {"secret": None}},
        {"result": {"secret": [CANARY]}},
        {"result": {"key": CANARY}},
        {"error": {"code": -32803, "message": f"no {CANARY}"}},
    ],
)
async def test_wrong_answers_give_no_key_nor_log(answer, caplog):
    """The words of such an answer are not logged."""
    with caplog.at_level(logging.INFO, logger="certo"):
        found, _ = await ask(answer)
    assert found is None
    assert CANARY not in "".join(record.getMessage() for record in caplog.records if record.name.startswith("certo"))
