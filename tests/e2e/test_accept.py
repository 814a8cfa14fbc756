"""Accepting: exactly once, for exactly the text that was verified, in every encoding and with every line break."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from support.lsp.editor import script
from support.lsp.multi_client import Company
from support.projects.shop import DOUBLE, TOTAL, TOTAL_DONE, TRIPLE, build_shop

FRUIT = 'FRUIT = "🍎 é 🍐"; PRICE = "𝔘"\n\n\n'


@pytest.mark.slow
@pytest.mark.usual_cases("utf-16")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_positions_are_right_behind_an_emoji(encoding: str, tmp_path: Path, company: Company) -> None:
    fruity = TOTAL.replace("Add the prices up.", "Add 🍎 and 🍐 up.")
    done = fruity.replace("    ...\n", '    "🍐🍐"; return sum(prices)\n')
    root = build_shop(tmp_path, FRUIT + fruity.replace("...", '"🍎🍎"; ...') + DOUBLE)
    async with company.editor("tcp", root, encoding=encoding, settings=script(tmp_path, done)) as editor:
        assert editor.encoding == encoding
        await editor.open("shop.py")
        await editor.edit("shop.py", '"𝔘"', '"𝔘𝔘"')
        await editor.edit("shop.py", "🍎🍎", "🍎🍎🍎")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "; ...", "repair `total`")
        await editor.said("is verified by")
        await editor.choose("shop.py", "; ...", "accept")
        expected = FRUIT.replace('"𝔘"', '"𝔘𝔘"') + done + DOUBLE
        assert await editor.accepted("shop.py", before) == expected


@pytest.mark.slow
async def test_windows_line_breaks_stay(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path, newline="\r\n")
    async with company.editor("tcp", root, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await editor.choose("shop.py", "def total", "accept")
        after = await editor.accepted("shop.py", before)
    assert after == (TOTAL_DONE + DOUBLE + TRIPLE).replace("\n", "\r\n")


async def test_accepting_twice_applies_once(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        await editor.edit("shop.py", "return n + 3", "return n * 2")  # so that accepting takes its time
        accept = (await editor.actions("shop.py", "def total"))[0]["command"]
        first = await editor.peer.ask("workspace/executeCommand", _named(accept))
        second = await editor.peer.ask("workspace/executeCommand", _named(accept))
        assert (await editor.peer.answer(first))["state"] == "accepting"
        assert (await editor.peer.answer(second))["state"] == "accepting"
        after = await editor.accepted("shop.py", before.replace("n + 3", "n * 2"))
        assert (await editor.command("certo.accept", *accept["arguments"]))["state"] == "accepted"
        asked = [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]
    assert len(asked) == 1
    assert after.count("return sum(prices)") == 1


@pytest.mark.slow
async def test_text_put_in_by_the_editor_counts(tmp_path: Path, company: Company) -> None:
    """An editor that shows ghost text has put the candidate in before it accepts."""
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        accept = (await editor.actions("shop.py", "def total"))[0]["command"]
        await editor.edit("shop.py", TOTAL, TOTAL_DONE)
        with anyio.fail_after(500):
            while (said := await editor.command("certo.accept", *accept["arguments"]))["state"] == "accepting":  # noqa: ASYNC110 - only asking tells
                await anyio.sleep(0.05)
        assert said["state"] == "accepted"
        assert not [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]
        assert editor.buffers["shop.py"].text == TOTAL_DONE + DOUBLE + TRIPLE
        await editor.edit("shop.py", TOTAL_DONE, TOTAL)
        titles = [lens["command"]["title"] for lens in await editor.lenses("shop.py")]
        assert titles[0].startswith("Certo: accept #1 ✓"), "it is offered again when it was undone"


@pytest.mark.slow
async def test_edit_refused_once_is_tried_again(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        editor.refuse_edits = 1
        await editor.choose("shop.py", "def total", "accept")
        assert "return sum(prices)" in await editor.accepted("shop.py", before)


@pytest.mark.slow
async def test_edit_refused_twice_is_given_up(tmp_path: Path, company: Company) -> None:
    """A sentence says so, and accepting again works."""
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        editor.refuse_edits = 2
        await editor.choose("shop.py", "def total", "accept")
        await editor.said("the editor did not apply the edit to shop.py")
        assert editor.buffers["shop.py"].text == before
        await editor.choose("shop.py", "def total", "accept")
        assert "return sum(prices)" in await editor.accepted("shop.py", before)


async def test_editor_without_edits_is_told_so(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    async with company.editor("tcp", root, client={}, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        started = await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        assert not [title for title in await editor.titles("shop.py", "def total") if "accept" in title]
        answer = await editor.command("certo.accept", {"v": 1, "searchId": started["searchId"]})
        assert answer["state"] == "failed"
        assert "takes no edits" in answer["error"]


@pytest.mark.slow
async def test_closed_document_is_accepted_into_its_file(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.close("shop.py")
        await editor.said("is verified by")
        await editor.open("shop.py", version=12)
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "accept")
        assert "return sum(prices)" in await editor.accepted("shop.py", before)


def _named(command: dict[str, object]) -> dict[str, object]:
    return {"command": command["command"], "arguments": command["arguments"]}


async def test_undone_candidates_return_and_redone_ones_go(tmp_path: Path, company: Company) -> None:
    async with company.editor("tcp", build_shop(tmp_path), settings=script(tmp_path, TOTAL_DONE)) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("is verified by")
        accept = (await editor.actions("shop.py", "def total"))[0]["command"]
        await editor.choose("shop.py", "def total", "accept")
        after = await editor.accepted("shop.py", before)
        with anyio.fail_after(500):
            while await editor.lenses("shop.py"):
                continue

        await editor.edit("shop.py", after, before)
        titles = [lens["command"]["title"] for lens in await editor.lenses("shop.py")]
        assert titles[0].startswith("Certo: accept #1 ✓")
        assert {"Retry", "Dismiss"} <= {*titles}
        await editor.edit("shop.py", before, after)
        assert not await editor.lenses("shop.py")

        await editor.edit("shop.py", after, before)
        assert (await editor.command("certo.accept", *accept["arguments"]))["state"] == "accepting"
        assert await editor.accepted("shop.py", before) == after
