"""Tests written for a function, offered by code action and applied by an editor."""

from __future__ import annotations

from pathlib import Path

from support.lsp.multi_client import Company
from support.lsp.peer import Message
from support.projects.shop import build_shop

MAKES_FILES: Message = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create"],
            "changeAnnotationSupport": {"groupsOnLabel": False},
        },
    }
}
"""A client that lets its user tick parts of an edit."""

PRICES = "def half(price: int) -> int:\n    return price // 2 if price > 3 else price\n"


async def test_each_test_has_a_box(tmp_path: Path, company: Company) -> None:
    root = build_shop(tmp_path)
    (root / "prices.py").write_text(PRICES, encoding="utf-8")
    async with company.editor("tcp", root, client=MAKES_FILES) as editor:
        await editor.open("prices.py")
        answer = await editor.choose("prices.py", "def half", "write tests for `half`")
        assert answer["state"] == "running"
        params = await editor.peer.wait_for("workspace/applyEdit")
        created, changed = params["edit"]["documentChanges"]
        assert created["uri"].endswith("test_prices.py")
        boxes = params["edit"]["changeAnnotations"]
        ticked = {edit["annotationId"] for edit in changed["edits"]}
        assert ticked == set(boxes)
        assert all(box["needsConfirmation"] for box in boxes.values())
        assert any("notices" in box["description"] for box in boxes.values())
        assert "from prices import half" in "".join(edit["newText"] for edit in changed["edits"])
