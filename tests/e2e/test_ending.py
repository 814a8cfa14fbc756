"""The end of a search as a question: its choices, their effects, and the clients that are not asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.lsp.peer import SILENCE, Message
from support.projects.shop import TOTAL_DONE, TOTAL_WRONG, build_shop

ASKED = "window/showMessageRequest"
CHOICES = ["Accept", "Show diff", "Retry", "Dismiss"]


def titles(question: Message) -> list[str]:
    return [each["title"] for each in question["actions"]]


@pytest.mark.slow
async def test_diff_can_be_read_before_accepting(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        answers = iter(["Show diff", "Accept"])
        editor.peer.replies[ASKED] = lambda _params: {"title": next(answers)}
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        asked = await editor.peer.wait_for(ASKED)
        assert titles(asked) == CHOICES
        assert asked["message"].startswith("Certo: `total` is verified by 2 tests")
        await editor.peer.wait_for("window/showDocument")
        assert titles(await editor.peer.wait_for(ASKED)) == ["Accept", "Retry", "Dismiss"]
        assert "return sum(prices)" in await editor.accepted("shop.py", before)


@pytest.mark.slow
async def test_retrying_and_dismissing_are_answers_too(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        answers = iter(["Retry", "Dismiss"])
        editor.peer.replies[ASKED] = lambda _params: {"title": next(answers)}
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for(ASKED)
        await editor.peer.wait_for(ASKED)
        while await editor.lenses("shop.py"):
            await editor.peer.wait_for("workspace/codeLens/refresh")
        assert next(answers, None) is None


async def test_unanswered_question_is_withdrawn_and_blocks_nothing(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        editor.peer.replies[ASKED] = SILENCE
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        question = await editor.peer.wait_for_message(lambda message: message.get("method") == ASKED)
        await editor.choose("shop.py", "def total", "accept #1")
        await editor.peer.wait_for("$/cancelRequest", lambda params: params["id"] == question["id"])
        assert "return sum(prices)" in await editor.accepted("shop.py", before)


async def test_without_choices_the_end_is_only_told(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_WRONG)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for("window/showMessage", lambda params: "nothing found" in params["message"])


@pytest.mark.usual_cases("Visual Studio Code-None-True")
@pytest.mark.parametrize(
    ("name", "setting", "asks"),
    [
        ("Visual Studio Code", None, True),
        ("Visual Studio Code", False, False),
        ("Neovim", None, False),
        ("Neovim", True, True),
    ],
)
async def test_settings_and_editor_decide_if_to_ask(
    name: str, setting: bool | None, asks: bool, tmp_path: Path, company: Company
) -> None:
    settings = script(tmp_path, TOTAL_DONE) | {"editor": {"askWhenDone": setting}}
    async with company.editor("tcp", build_shop(tmp_path), settings=settings, called=name) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by 2 tests")
        methods = {each.get("method") for each in editor.peer.received}
    assert (ASKED in methods, "window/showMessage" in methods) == (asks, not asks)
