"""A text changes during a search or after it: nothing typed is lost, and nothing unverified is applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import Editor, script
from support.lsp.multi_client import Company
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, build_shop


async def found(editor: Editor) -> None:
    """Let a search for `total` run to its end."""
    await editor.open("shop.py")
    await editor.choose("shop.py", "def total", "implement")
    await editor.said("is verified by")


@pytest.mark.slow
async def test_edits_elsewhere_move_and_reverify_the_candidate(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py", "LIMIT = 1\n\n\n" + TOTAL + DOUBLE)
        await editor.choose("shop.py", "def total", "implement")
        await editor.edit("shop.py", "LIMIT = 1", 'LIMIT = 2\nNAMES = "🍎🍐"')
        await editor.said("is verified by")
        await editor.edit("shop.py", "return n + 3", "return n * 2")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
        shown = [each["params"]["value"] for each in editor.peer.received if each.get("method") == "$/progress"]
        assert "verifying #1 on the current text" in [step.get("message") for step in shown]


def verifying(params: dict[str, dict[str, str]]) -> bool:
    """True if a step of progress says that a candidate is verified once more."""
    return "verifying #1" in params["value"].get("message", "")


@pytest.mark.slow
async def test_typing_during_verification_is_kept(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "return n + 3", "return n * 2")
        await editor.choose("shop.py", "def total", "accept")
        await editor.peer.wait_for("$/progress", verifying)
        await editor.edit("shop.py", "def double", "# typed meanwhile\ndef double")
        before = editor.buffers["shop.py"].text
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)


@pytest.mark.slow
async def test_candidate_dismissed_during_verification_is_not_applied(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "return n + 3", "return n * 2")
        await editor.choose("shop.py", "def total", "accept")
        await editor.peer.wait_for("$/progress", verifying)
        await editor.choose("shop.py", "def total", "dismiss")
        token = next(
            each["params"]["token"]
            for each in reversed(editor.peer.received)
            if each.get("method") == "$/progress" and verifying(each["params"])
        )
        await editor.peer.wait_for(
            "$/progress", lambda params: params["token"] == token and params["value"]["kind"] == "end"
        )
        assert await editor.titles("shop.py", "def total") == ["Certo: implement `total` and verify"]
        assert not [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]


@pytest.mark.slow
async def test_breaking_change_elsewhere_is_found_out(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "def double(n)", "def sum(prices):\n    return -1\n\n\ndef double(n)")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        sentence = await editor.said("has changed, and candidate #1 now fails")
        assert "now fails doctest:" in sentence
        assert editor.buffers["shop.py"].text == before
        assert "Certo: retry" in await editor.titles("shop.py", "def total"), "the search stays"


@pytest.mark.slow
async def test_edits_in_the_target_merge_and_reverify(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "Add the prices up.", "Add all prices 🍎 up.")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        after = await editor.accepted("shop.py", before)
        assert after == before.replace("    ...", "    return sum(prices)")
        await editor.said("`total` was merged with your changes and verified again, by 2 tests.")


@pytest.mark.slow
async def test_conflicting_edit_of_a_line_is_refused(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "    ...", "    return max(prices)")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert "line 9 was changed since the search began" in await editor.said("was changed")
        assert editor.buffers["shop.py"].text == before
        assert "Certo: retry" in await editor.titles("shop.py", "def total"), "the search stays"


@pytest.mark.slow
async def test_deleted_target_is_not_brought_back(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        (accept,) = [each for each in await editor.actions("shop.py", "def total") if "accept" in each["title"]]
        await editor.edit("shop.py", TOTAL, "")
        assert await editor.lenses("shop.py") == []
        await editor.command("certo.accept", *accept["command"]["arguments"])
        await editor.said("the search began")
        assert "total" not in editor.buffers["shop.py"].text


@pytest.mark.slow
async def test_retry_searches_the_newly_typed_text(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "    ...", "    pass")
        await editor.choose("shop.py", "def total", "retry")
        await editor.said("is verified by")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL.replace("...", "pass"), TOTAL_DONE)


async def test_outdated_code_action_starts_nothing(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path)) as editor:
        await editor.open("shop.py")
        action = (await editor.actions("shop.py", "def total"))[0]
        await editor.edit("shop.py", "def double", "def twice")
        answer = await editor.command("certo.generate", *action["command"]["arguments"])
        assert answer["state"] == "failed"
        assert "shop.py has changed since this was offered" in answer["error"]
        await editor.said("has changed since this was offered")


async def test_unsaved_text_of_another_document_counts(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path, "from rates import tax\n\n\n" + TOTAL.replace("3\n    >>>", "30\n    >>>"))
    (root / "rates.py").write_text("tax = 1\n")
    done = TOTAL_DONE.replace("3\n    >>>", "30\n    >>>").replace("sum(prices)", "tax * sum(prices)")
    async with company.editor("tcp", root, settings=script(tmp_path, done)) as editor:
        await editor.open("rates.py")
        await editor.open("shop.py")
        await editor.edit("rates.py", "tax = 1", "tax = 10")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by 2 tests")
        await editor.edit("rates.py", "tax = 10", "tax = 11")
        await editor.choose("shop.py", "def total", "accept")
        await editor.said("now fails doctest:")
        await editor.edit("rates.py", "tax = 11", "tax = 10")
        await editor.choose("shop.py", "def total", "accept")
        assert "tax * sum(prices)" in await editor.accepted("shop.py", before)
    assert (root / "rates.py").read_text() == "tax = 1\n"


@pytest.mark.slow
async def test_changes_on_disk_leave_the_editors_text(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    async with company.editor("tcp", root, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        (root / "shop.py").write_text("this is no Python at all\n")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
