"""Accepting a candidate of several files in an editor: one edit for all of them, of exact versions, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import Editor, script
from support.lsp.editor_profiles import capabilities
from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.two_modules import PRICES, PRICES_DONE, TILL, TILL_DONE, TOTAL, build

pytestmark = pytest.mark.acceptance(130)

MADE = "RATE = 1.19\n"
LABEL = '"""Prices."""\n\n\n'


def files(root: Path, **made: str) -> Message:
    reply = {"source": TOTAL, "elsewhere": {"shop/prices.py": PRICES_DONE, **made}}
    settings = script(root, reply)
    settings["search"]["scope"] = "files"
    return settings


def asked_edits(editor: Editor) -> list[Message]:
    return [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return build(tmp_path)


async def test_one_edit_changes_all_files_by_version(root: Path, company: Company) -> None:
    """Or none: an edit that the editor refuses changes no file, and can be made later."""
    async with company.editor("tcp", root, settings=files(root, **{"shop/rates.py": MADE})) as editor:
        await editor.open("shop/till.py", version=3)
        await editor.open("shop/prices.py", version=7)
        await editor.choose("shop/till.py", "def total", "repair")
        await editor.said("is verified, not tried apart, by 2 tests")
        editor.refuse_edits = 2
        await editor.choose("shop/till.py", "def total", "accept")
        await editor.said("the editor did not apply the edit to shop/till.py")
        assert {path: buffer.text for path, buffer in editor.buffers.items()} == {
            "shop/till.py": TILL,
            "shop/prices.py": PRICES,
        }
        refused = len(asked_edits(editor))
        await editor.choose("shop/till.py", "def total", "accept")
        assert await editor.accepted("shop/till.py", TILL) == TILL_DONE
        assert editor.buffers["shop/prices.py"].text == PRICES_DONE
        assert editor.buffers["shop/rates.py"].text == MADE
        [asked] = asked_edits(editor)[refused:]
        changes = asked["params"]["edit"]["documentChanges"]
        named = [(each.get("kind"), each.get("textDocument", each).get("version")) for each in changes]
        assert named == [(None, 3), (None, 7), ("create", None), (None, None)]


@pytest.mark.slow
async def test_closed_and_changed_files_are_merged(root: Path, company: Company) -> None:
    async with company.editor("tcp", root, settings=files(root)) as editor:
        await editor.open("shop/till.py")
        await editor.choose("shop/till.py", "def total", "repair")
        await editor.said("is verified, not tried apart, by 2 tests")
        (root / "shop/prices.py").write_text(LABEL + PRICES)
        await editor.choose("shop/till.py", "def total", "accept")
        assert await editor.accepted("shop/till.py", TILL) == TILL_DONE
        assert editor.buffers["shop/prices.py"].text == LABEL + PRICES_DONE


@pytest.mark.slow
async def test_editor_that_creates_no_files_is_told(root: Path, company: Company) -> None:
    client = capabilities("visual_studio_code")
    client["workspace"]["workspaceEdit"]["resourceOperations"] = []
    async with company.editor("tcp", root, client=client, settings=files(root, **{"shop/rates.py": MADE})) as editor:
        await editor.open("shop/till.py")
        await editor.choose("shop/till.py", "def total", "repair")
        await editor.said("is verified, not tried apart, by 2 tests")
        await editor.choose("shop/till.py", "def total", "accept")
        await editor.said("this editor makes no files for a server, and shop/rates.py is new")
        assert not [each for each in editor.peer.received if each.get("method") == "workspace/applyEdit"]
