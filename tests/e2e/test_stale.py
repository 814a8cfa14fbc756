"""A text that goes on changing while a search runs, or after it: nothing is lost, nothing unproved is applied."""

from __future__ import annotations

from pathlib import Path

from support.lsp.editor import Editor, editor_on, script
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, build_shop


async def found(editor: Editor) -> None:
    """Let a search for `total` run to its end."""
    await editor.open("shop.py")
    await editor.choose("shop.py", "def total", "implement")
    await editor.said("is verified by")


async def test_an_edit_elsewhere_moves_the_candidate_and_has_it_verified_again(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py", "LIMIT = 1\n\n\n" + TOTAL + DOUBLE)
        await editor.choose("shop.py", "def total", "implement")
        await editor.edit("shop.py", "LIMIT = 1", 'LIMIT = 2\nNAMES = "🍎🍐"')
        await editor.said("is verified by")
        await editor.edit("shop.py", "return n + 3", "return n * 2")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
        shown = [each["params"]["value"] for each in editor.peer.received if each.get("method") == "$/progress"]
        assert "verifying #1 on the text as it is now" in [step.get("message") for step in shown]


def verifying(params: dict[str, dict[str, str]]) -> bool:
    """Whether a step of progress says that a candidate is verified once more."""
    return "verifying #1" in params["value"].get("message", "")


async def test_typing_on_while_it_is_verified_again_loses_nothing(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "return n + 3", "return n * 2")
        await editor.choose("shop.py", "def total", "accept")
        await editor.peer.wait_for("$/progress", verifying)
        await editor.edit("shop.py", "def double", "# typed meanwhile\ndef double")
        before = editor.buffers["shop.py"].text
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)


async def test_what_is_dismissed_while_it_is_verified_again_is_not_applied(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
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


async def test_a_change_elsewhere_that_breaks_the_candidate_is_found_out(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "def double(n)", "def sum(prices):\n    return -1\n\n\ndef double(n)")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        sentence = await editor.said("has changed since candidate #1 was verified")
        assert "the verifier doctests no longer passes it" in sentence
        assert editor.buffers["shop.py"].text == before
        assert "Certo: retry" in await editor.titles("shop.py", "def total"), "the search stays"


async def test_an_edit_inside_the_target_is_merged_and_verified_again(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "Add the prices up.", "Add all prices 🍎 up.")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        after = await editor.accepted("shop.py", before)
        assert after == before.replace("    ...", "    return sum(prices)")
        await editor.said("`total` was merged with your changes and verified again, by 2 tests.")


async def test_an_edit_of_the_same_line_is_refused(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "    ...", "    return max(prices)")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert "line 9 was changed since the search began" in await editor.said("was changed")
        assert editor.buffers["shop.py"].text == before
        assert "Certo: retry" in await editor.titles("shop.py", "def total"), "the search stays"


async def test_a_target_that_is_gone_is_not_brought_back(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        (accept,) = [each for each in await editor.actions("shop.py", "def total") if "accept" in each["title"]]
        await editor.edit("shop.py", TOTAL, "")
        assert await editor.lenses("shop.py") == []
        await editor.command("certo.accept", *accept["command"]["arguments"])
        await editor.said("the search began")
        assert "total" not in editor.buffers["shop.py"].text


async def test_what_was_typed_meanwhile_is_searched_anew_by_retry(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await found(editor)
        await editor.edit("shop.py", "    ...", "    pass")
        await editor.choose("shop.py", "def total", "retry")
        await editor.said("is verified by")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL.replace("...", "pass"), TOTAL_DONE)


async def test_the_menu_of_an_older_version_starts_nothing(tmp_path: Path) -> None:
    async with editor_on(build_shop(tmp_path)) as editor:
        await editor.open("shop.py")
        action = (await editor.actions("shop.py", "def total"))[0]
        await editor.edit("shop.py", "def double", "def twice")
        answer = await editor.command("certo.generate", *action["command"]["arguments"])
        assert answer["state"] == "failed"
        assert "shop.py has changed since this was offered" in answer["error"]
        await editor.said("has changed since this was offered")


async def test_unsaved_text_of_another_document_counts(tmp_path: Path) -> None:
    root = build_shop(tmp_path, "from rates import tax\n\n\n" + TOTAL.replace("3\n    >>>", "30\n    >>>"))
    (root / "rates.py").write_text("tax = 1\n")
    done = TOTAL_DONE.replace("3\n    >>>", "30\n    >>>").replace("sum(prices)", "tax * sum(prices)")
    async with editor_on(root, settings=script(tmp_path, done)) as editor:
        await editor.open("rates.py")
        await editor.open("shop.py")
        await editor.edit("rates.py", "tax = 1", "tax = 10")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by 2 tests")
        await editor.edit("rates.py", "tax = 10", "tax = 11")
        await editor.choose("shop.py", "def total", "accept")
        await editor.said("the verifier doctests no longer passes it")
        await editor.edit("rates.py", "tax = 11", "tax = 10")
        await editor.choose("shop.py", "def total", "accept")
        assert "tax * sum(prices)" in await editor.accepted("shop.py", before)
    assert (root / "rates.py").read_text() == "tax = 1\n"


async def test_a_file_that_changes_on_disk_does_not_change_what_the_editor_has(tmp_path: Path) -> None:
    root = build_shop(tmp_path)
    async with editor_on(root, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        (root / "shop.py").write_text("this is no Python at all\n")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await editor.choose("shop.py", "def total", "accept")
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
