"""Tests written for a function, offered by code action and applied by an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        # Without a part to be confirmed an editor would ask nothing; all tests start ticked.
        assert [name for name, box in boxes.items() if box["needsConfirmation"]] == ["certo.tests.comment"]
        assert any("notices" in box["description"] for box in boxes.values())
        assert "from prices import half" in "".join(edit["newText"] for edit in changed["edits"])


BROKEN = "def half(price: int) -> int:\n    return price // 3 if price > 3 else price\n"


@pytest.mark.slow
async def test_untested_function_is_offered_tests_first(tmp_path: Path, company: Company) -> None:
    """Tests that are accepted are found by the search that follows, and one that is not wanted is not made."""
    root = build_shop(tmp_path)
    (root / "prices.py").write_text(BROKEN, encoding="utf-8")
    asked: list[str] = []
    boxes: dict[str, Message] = {}

    def answer(params: Message) -> Message:
        asked.append(params["message"])
        return {"title": params["actions"][0]["title"]}

    def apply_and_save(params: Message) -> Message:
        boxes.update(params["edit"]["changeAnnotations"])
        for change in params["edit"]["documentChanges"]:
            if "edits" in change:
                file = tmp_path / "tests" / "test_prices.py"
                file.parent.mkdir()
                file.write_text("".join(edit["newText"] for edit in change["edits"]), encoding="utf-8")
        return {"applied": True}

    window = {"showMessage": {"messageActionItem": {"additionalPropertiesSupport": False}}}
    async with company.editor("tcp", root, client={**MAKES_FILES, "window": window}) as editor:
        editor.peer.replies |= {"window/showMessageRequest": answer, "workspace/applyEdit": apply_and_save}
        await editor.open("prices.py")
        await editor.choose("prices.py", "def half", "repair `half`")
        await editor.said("passes already")
    # A tick says here that a test is right, which nobody but the user knows.
    assert all(box["needsConfirmation"] == (name != "certo.tests.needed") for name, box in boxes.items())
    assert asked == [
        "Certo: No test reaches `half`, so nothing can be verified. Tick what it does rightly today first?"
    ]
