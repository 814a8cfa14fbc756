"""In an editor, what the built-in generator makes of a model's near miss is shown and accepted like any candidate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.lsp.multi_client import Company
from support.models.model_generator import block
from support.projects.shop import TOTAL_DONE, build_shop

NEARLY = TOTAL_DONE.replace("sum(prices)", "sum(prices[1:])")


@pytest.mark.slow
async def test_edit_of_a_near_miss_is_accepted(tmp_path: Path, company: Company) -> None:
    """The model's next answer would come after the test has given up."""
    script = tmp_path / "answers.json"
    late = {"text": [block(NEARLY)], "gapSeconds": 3600}
    script.write_text(json.dumps([{"text": block(NEARLY)}, late, late, late]), encoding="utf-8")
    settings = {
        "search": {"generator": "model", "strategy": "retry"},
        "model": {"name": f"scripted:{script}"},
    }
    async with company.editor("tcp", build_shop(tmp_path), settings=settings) as editor:
        await editor.open("shop.py")
        before = editor.buffers["shop.py"].text
        await editor.choose("shop.py", "def total", "implement")
        await editor.said("verified by")
        card = await editor.hover("shop.py", "def total")
        assert card is not None
        assert "in #1 of `scripted:answers.json`" in card.replace("\\", "")
        await editor.choose("shop.py", "def total", "accept")
        text = await editor.accepted("shop.py", before)
    # There are several such edits: prices, or prices[0:].
    assert "    return sum(prices" in text
    assert "prices[1:]" not in text
