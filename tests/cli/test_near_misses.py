"""`certo generate --model`: the built-in generator repairs what the model nearly got right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.cli.command import certo, till
from support.models.model_generator import block

STUB = '"""Giving change."""\n\nCOINS = (50, 20, 10, 5, 2, 1)\n\n\ndef change(due):\n    raise NotImplementedError\n'
NEARLY = block(
    "def change(due):\n    coins = []\n    for coin in COINS:\n        while due > coin:\n"
    "            coins.append(coin)\n            due -= coin\n    return coins"
)
EDIT = "line 9: while due > coin: → while due >= coin:, in #1 of scripted:answers.json"


def model(root: Path, *answers: dict[str, Any]) -> tuple[str, ...]:
    """Return the options that make a model give these answers."""
    script = root.parent / "answers.json"
    script.write_text(json.dumps(answers), encoding="utf-8")
    return ("--model", f"scripted:{script}")


@pytest.mark.slow
def test_near_miss_is_repaired_without_a_call(tmp_path: Path) -> None:
    """The command ends while the model still writes its second answer."""
    root = till(tmp_path / "till", source=STUB)
    words = model(root, {"text": NEARLY}, *[{"text": [NEARLY], "gapSeconds": 280.0}] * 3)
    ran = certo(root, "generate", "till.py::change", "--strategy", "retry", "--json", "--apply", *words)
    assert ran.code == 0, ran.err
    last, proposed = ran.events[-1], [each for each in ran.events if each["type"] == "candidate.proposed"]
    near_miss, repaired, *rivals = proposed
    assert near_miss["origin"]["generator"] == "model"
    assert (repaired["origin"]["generator"], repaired["origin"]["note"]) == ("builtin", EDIT)
    assert repaired["parent"] == near_miss["candidateId"]
    assert all(each["rivalOf"] == repaired["candidateId"] for each in rivals)
    assert (last["outcome"], last["verified"]) == ("solved", True)
    assert last["winner"]["candidateId"] == repaired["candidateId"]
    assert "-    raise NotImplementedError\n+    coins = []" in last["winner"]["diff"]
    assert "while due >= coin" in (root / "till.py").read_text()
    tree = certo(root, "searches", "show", last["search"], "--tree")
    assert EDIT in tree.out, tree.err


@pytest.mark.slow
def test_setting_leaves_near_misses_alone(tmp_path: Path) -> None:
    root = till(tmp_path / "till", source=STUB)
    words = model(root, {"text": NEARLY})
    ran = certo(root, "generate", "till.py::change", "--json", *words, CERTO_BUILTIN__NEAR_MISSES="false")
    assert ran.events[-1]["winner"] is None, ran.err
    assert sum(each["type"] == "candidate.proposed" for each in ran.events) == 1
