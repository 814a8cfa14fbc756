"""The main job as three real editors would drive it: offer, run, look, accept, and the text is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lsp.editor import editor_on, script
from support.lsp.editor_profiles import EDITORS
from support.lsp.multi_client import Company
from support.projects.shop import TOTAL, TOTAL_DONE, TOTAL_WRONG, build_shop


@pytest.mark.usual_cases("visual_studio_code")
@pytest.mark.parametrize("name", EDITORS)
async def test_a_hole_is_filled(name: str, tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path / "shop")
    settings = script(tmp_path, TOTAL_WRONG, TOTAL_DONE)
    async with company.editor("tcp", root, name=name, settings=settings) as editor:
        await editor.open("shop.py", version=7)
        before = editor.buffers["shop.py"].text
        answer = await editor.choose("shop.py", "def total", "implement `total` and verify")
        assert answer["state"] == "running"
        assert "verified by 2 tests, 2 of them newly passing" in await editor.said("`total`")
        card = await editor.hover("shop.py", "def total")
        assert card is not None
        assert "2/2 (2 newly)" in card
        assert "+    return sum(prices)" in card
        answer = await editor.choose("shop.py", "def total", "accept #2 ✓ 2/2 tests")
        assert answer["state"] == "accepting"
        assert await editor.accepted("shop.py", before) == before.replace(TOTAL, TOTAL_DONE)
        applied = next(each for each in editor.peer.received if each.get("method") == "workspace/applyEdit")
        assert applied["params"]["label"] == "Certo: total"
        edit = applied["params"]["edit"]
        if editor.peer.capabilities["workspace"]["workspaceEdit"].get("documentChanges"):
            assert [change["textDocument"]["version"] for change in edit["documentChanges"]] == [7]
        else:
            assert list(edit["changes"]) == [editor.uri("shop.py")]
        assert "Certo: accept" not in " ".join(await editor.titles("shop.py", "def total"))
    assert (root / "shop.py").read_text() == before, "the file is the editor's to save"


@pytest.mark.slow
async def test_the_builtin_generator_needs_no_settings(tmp_path: Path) -> None:
    root = build_shop(tmp_path / "shop")
    async with editor_on(root) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def triple", "repair `triple` until its tests pass")
        await editor.said("`triple` is verified by 1 test")
        await editor.choose("shop.py", "def triple", "accept #")
        after = await editor.accepted("shop.py", before)
    namespace: dict[str, object] = {}
    exec(after, namespace)  # the repaired module, as the user would import it
    assert eval("triple(3)", namespace) == 9
