"""The editor's own model, lent to a real daemon: asked, streamed, and stopped with the search that it writes for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.lsp.editor import Editor
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company
from support.lsp.peer import SILENCE, Message, Refusal
from support.projects.shop import TOTAL_DONE, build_shop

pytestmark = pytest.mark.acceptance(4)

ASK, DELTA = "certo/model/ask", "certo/model/delta"
SETTINGS: Message = {"search": {"generator": "model", "strategy": "retry"}, "model": {"name": "editor:best"}}


def lending() -> Message:
    """The capabilities of an editor that lends its model."""
    return {**capabilities("visual_studio_code"), "experimental": {"certo": {"versions": [1], "model": True}}}


async def asked(editor: Editor) -> Message:
    """Wait for a question to the editor's model."""
    return await editor.peer.wait_for_message(lambda message: message.get("method") == ASK)


async def reply(editor: Editor, question: Message, **response: Any) -> None:
    """Answer a question."""
    await editor.peer.send({"jsonrpc": "2.0", "id": question["id"], **response})


async def test_candidate_of_the_editors_model_is_verified(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=lending(), settings=SETTINGS) as editor:
        editor.peer.replies[ASK] = SILENCE
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        question = await asked(editor)
        params = question["params"]
        assert params["model"] == "best"
        assert params["messages"][0]["role"] == "system"
        assert "total" in params["messages"][-1]["text"]
        text = f"Here it is.\n\n```python\n{TOTAL_DONE}```\n"
        for start in range(0, len(text), 20):
            await editor.peer.notify(DELTA, {"token": params["token"], "text": text[start : start + 20]})
        await reply(editor, question, result={"finish": "complete", "model": "copilot/best"})
        await editor.said("verified by")


async def test_stopping_a_search_stops_the_editors_model(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), client=lending(), settings=SETTINGS) as editor:
        editor.peer.replies[ASK] = SILENCE
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        question = await asked(editor)
        await editor.peer.notify(DELTA, {"token": question["params"]["token"], "text": "def total("})
        await editor.choose("shop.py", "def total", "cancel")
        await editor.peer.wait_for("$/cancelRequest", lambda params: params["id"] == question["id"])
        await editor.peer.notify(DELTA, {"token": question["params"]["token"], "text": "prices"})
        await reply(editor, question, error={"code": -32800, "message": "cancelled"})
        assert await editor.titles("shop.py", "def total")


async def test_objection_of_the_editor_reaches_the_user(tmp_path: Path, company: Company) -> None:
    def refuse(_: object) -> None:
        raise Refusal(-32803, "the user did not allow it")

    async with company.editor("tcp", build_shop(tmp_path), client=lending(), settings=SETTINGS) as editor:
        editor.peer.replies[ASK] = refuse
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("the user did not allow it")


async def test_editors_without_a_model_are_not_asked(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=SETTINGS) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("this editor offers certo no model")
        assert not [message for message in editor.peer.received if message.get("method") == ASK]
