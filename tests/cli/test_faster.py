"""`certo generate --goal faster`, a whole search by the real command."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli.command import certo, scripted
from support.projects.projects import write_project

SOURCE = '''\
def unique(items: list[str]) -> list[str]:
    """Return the items without repetitions, in order."""
    result = []
    for item in items:
        if item not in result:
            result.append(item)
    return result
'''

TESTS = """\
from shop import unique

def test_some():
    assert unique(["b", "a", "b", "c"]) == ["b", "a", "c"]
"""


FASTER = {"source": "def unique(items: list[str]) -> list[str]:\n    return list(dict.fromkeys(items))\n"}


@pytest.mark.parametrize("generator", ["scripted", pytest.param("builtin", marks=pytest.mark.slow)])
def test_search_shows_faster_code_with_evidence(tmp_path: Path, generator: str) -> None:
    """What is quadratic becomes faster by far more than any machine's noise; the file stays as it is."""
    root = write_project(tmp_path / "shop", {"shop.py": SOURCE, "tests/test_shop.py": TESTS})
    words = scripted(root, FASTER) if generator == "scripted" else ("--timeout", "120")
    ran = certo(root, "generate", "shop.py::unique", "--goal", "faster", *words, "--json")
    assert ran.code == 0, ran.err
    [measured] = [event for event in ran.events if event["type"] == "speed.measured"]
    speed = measured["speed"]
    assert 1.05 < speed["low"] <= speed["ratio"] <= speed["high"]
    assert speed["rounds"] >= 8
    assert speed["scale"] > 1
    assert speed["growth"]["after"] < speed["growth"]["before"]
    verdicts = {event["verdict"]["verifier"]: event["verdict"] for event in ran.events if event["type"] == "verdict"}
    assert verdicts["speed"]["speed"] == speed
    assert "no difference found in" in verdicts["equivalence"]["findings"][0]["message"]
    assert {verdict["ruling"] for verdict in verdicts.values()} == {"passed"}
    assert (root / "shop.py").read_text(encoding="utf-8") == SOURCE
