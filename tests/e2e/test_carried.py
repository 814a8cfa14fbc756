"""An editor that takes edits only with code actions accepts a candidate by one, on the text that was verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.lsp.editor import Editor, script
from support.lsp.multi_client import Company
from support.projects.shop import TOTAL, TOTAL_DONE, build_shop

LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
ALE: dict[str, Any] = {"workspace": {"applyEdit": False}, "textDocument": {"codeAction": LITERALS}}
"""What ALE 3.3 says of itself, as far as it matters here."""


async def _search(editor: Editor) -> None:
    await editor.open("shop.py", version=3)
    await editor.choose("shop.py", "def total", "implement `total` and verify")
    await editor.said("`total` is verified")


async def _accepting(editor: Editor) -> list[dict[str, Any]]:
    return [each for each in await editor.actions("shop.py", "def total") if "accept #" in each["title"]]


@pytest.mark.parametrize("versioned", [pytest.param(False, marks=pytest.mark.slow), True])
async def test_code_action_carries_the_accepting_edit(tmp_path: Path, versioned: bool, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    client = {**ALE, "workspace": {"applyEdit": False, "workspaceEdit": {"documentChanges": versioned}}}
    async with company.editor("tcp", root, client=client, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await _search(editor)
        before = editor.buffers["shop.py"].text
        [action] = await _accepting(editor)
        assert "command" not in action
        assert ("documentChanges" in action["edit"]) is versioned
        assert editor.apply(action) == {"applied": True}
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
        titles = await editor.titles("shop.py", "def total")
        assert titles[0] == "Certo: repair `total` until its tests pass", "the search is settled"


async def test_no_edit_for_an_unverified_text(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    async with company.editor("tcp", root, client=ALE, settings=script(tmp_path, TOTAL_DONE)) as editor:
        await _search(editor)
        await editor.edit("shop.py", "def triple", "# Later.\ndef triple")
        assert await _accepting(editor) == []
        await editor.edit("shop.py", "# Later.\n", "")
        assert len(await _accepting(editor)) == 1
        await editor.open("test_shop.py", "from shop import total\n")
        assert await _accepting(editor) == [], "the tests would be others too"
        await editor.close("test_shop.py")
        assert len(await _accepting(editor)) == 1
        (root / "conftest.py").write_text("# Saved since.\n")
        assert await _accepting(editor) == [], "what the tests read is another thing on the disk too"
        titles = await editor.titles("shop.py", "def total")
        assert any("retry" in title for title in titles)
