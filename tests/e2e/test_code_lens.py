"""Code lenses: the state of a search above its function, and the commands for it."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from support.lsp.editor import Editor, compared, editor_on, script
from support.lsp.multi_client import Company
from support.projects.shop import TOTAL, TOTAL_DONE, build_shop

SUM = TOTAL_DONE
LOOP = TOTAL.replace(
    "    ...\n", "    result = 0\n    for price in prices:\n        result += price\n    return result\n"
)


def shown(lenses: list[dict[str, object]]) -> list[str]:
    return [str(lens["command"]["title"]) for lens in lenses]  # type: ignore[index]  # lenses are JSON


async def click(editor: Editor, title: str) -> dict[str, object]:
    """Click on a lens of `shop.py`."""
    lens = next(each for each in await editor.lenses("shop.py") if title in each["command"]["title"])
    answer: dict[str, object] = await editor.command(lens["command"]["command"], *lens["command"]["arguments"])
    return answer


async def test_running_search_can_be_stopped_and_dismissed(tmp_path: Path, company: Company) -> None:
    slow = {"source": TOTAL_DONE, "delaySeconds": 60}
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, slow)) as editor:
        await editor.open("shop.py")
        assert await editor.lenses("shop.py") == []
        await editor.choose("shop.py", "def total", "implement")
        titles = shown(await editor.lenses("shop.py"))
        assert titles[0].startswith("Certo: ")
        assert titles[1:] == ["Stop"]
        await click(editor, "Stop")
        await editor.peer.wait_for("$/progress", lambda params: params["value"]["kind"] == "end")
        assert shown(await editor.lenses("shop.py")) == ["Certo: The search was stopped.", "Retry", "Dismiss"]
        await click(editor, "Dismiss")
        assert await editor.lenses("shop.py") == []


@pytest.mark.slow
async def test_lenses_follow_their_function(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        lenses = await editor.lenses("shop.py")
        assert shown(lenses) == ["Certo: accept #1 ✓ 2/2 tests", "Diff", "Retry", "Dismiss"]
        assert {lens["range"]["start"]["line"] for lens in lenses} == {0}
        await editor.edit("shop.py", "def total", "# a comment\n\n@print\ndef total")
        assert {lens["range"]["start"]["line"] for lens in await editor.lenses("shop.py")} == {2}


@pytest.mark.slow
async def test_diff_document_is_deleted_with_the_session(tmp_path: Path) -> None:
    opened: list[Path] = []

    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:

        def show(params: dict[str, str]) -> dict[str, bool]:
            opened.append(Path(params["uri"].removeprefix("file://")))
            return {"success": True}

        editor.peer.replies["window/showDocument"] = show
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await click(editor, "Diff")
        await editor.peer.wait_for("window/showDocument")
        assert "+    return sum(prices)\n" in opened[0].read_text()
        assert opened[0].parent.stat().st_mode & 0o077 == 0
    assert not opened[0].exists()
    assert not opened[0].parent.exists()


@pytest.mark.slow
async def test_editor_without_documents_gets_the_diffs_path(tmp_path: Path, company: Company) -> None:
    client = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
    async with company.editor(
        "tcp", build_shop(tmp_path), client=client, settings=script(tmp_path, TOTAL_DONE)
    ) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await click(editor, "Diff")
        path = anyio.Path((await editor.said("the diff of candidate #1 is in ")).rpartition(" is in ")[2])
        assert (await path.read_text()).startswith("--- a/shop.py")


@pytest.mark.slow
async def test_going_through_several_candidates(tmp_path: Path, company: Company) -> None:
    everything = compared(script(tmp_path, LOOP, SUM), firstTry=False)
    async with company.editor("tcp", build_shop(tmp_path), settings=everything) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        first = shown(await editor.lenses("shop.py"))
        assert "Next (1 other)" in first
        await click(editor, "Next")
        second = shown(await editor.lenses("shop.py"))
        assert second[0] != first[0]
        assert second[0].removeprefix("Certo: accept ")[:2] in (await editor.hover("shop.py", "def total") or "")
        await click(editor, "Next")
        assert shown(await editor.lenses("shop.py")) == first
        await click(editor, "Next")
        before = editor.buffers["shop.py"].text
        await click(editor, "Certo: accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, LOOP)


async def test_passing_candidate_is_acceptable_during_the_search(tmp_path: Path, company: Company) -> None:
    slow = {"source": LOOP, "delaySeconds": 60}
    both = compared(script(tmp_path, SUM, slow), firstTry=False)
    async with company.editor("tcp", build_shop(tmp_path), settings=both) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        while "Accept #1 now" not in shown(await editor.lenses("shop.py")):
            await editor.peer.wait_for("workspace/codeLens/refresh")
        await click(editor, "Accept #1 now")
        assert "return sum(prices)" in await editor.accepted("shop.py", before)
