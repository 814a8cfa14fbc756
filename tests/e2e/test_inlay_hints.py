"""Inlay hints: the score at the function, if the settings want it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import Editor, script
from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.shop import TOTAL_DONE, build_shop

HINTS = {"editor": {"inlayHints": True}}
REFRESHED = "workspace/inlayHint/refresh"


async def hints(editor: Editor, first: int = 0, last: int = 99) -> list[Message]:
    """The hints between two lines of `shop.py`."""
    shown = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    asked = {"textDocument": {"uri": editor.uri("shop.py")}, "range": shown}
    return await editor.peer.request("textDocument/inlayHint", asked) or []


async def test_score_is_at_the_end_of_def(tmp_path: Path, company: Company) -> None:
    async with company.editor(
        "tcp", build_shop(tmp_path), name="neovim", settings=script(tmp_path, TOTAL_DONE) | HINTS
    ) as editor:
        await editor.open("shop.py")
        assert await hints(editor) == []
        await editor.choose("shop.py", "def total", "implement")
        await editor.peer.wait_for(REFRESHED)
        await editor.said("verified by")
        await editor.edit("shop.py", "def total", "# a comment\n\n@print\ndef total")
        (hint,) = await hints(editor)
        assert hint["label"] == "✓ 2/2 tests, fair · 8 tokens changed"
        assert hint["position"] == {"line": 3, "character": len("def total(prices):")}
        assert "verified by 2 tests" in hint["tooltip"]["value"]
        assert await hints(editor, 4) == []
        await editor.choose("shop.py", "def total", "dismiss")
        assert await hints(editor) == []


@pytest.mark.slow
async def test_no_hints_unless_settings_want_them(tmp_path: Path, company: Company) -> None:
    async with company.editor(
        "tcp", build_shop(tmp_path), name="neovim", settings=script(tmp_path, TOTAL_DONE)
    ) as editor:
        await editor.open("shop.py")
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by")
        assert await hints(editor) == []
        assert REFRESHED not in {each.get("method") for each in editor.peer.received}
