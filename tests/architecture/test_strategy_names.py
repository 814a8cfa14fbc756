"""A strategy is one row of the registry: nobody else decides anything by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from certo.strategies.registry import ENTRIES

PACKAGE = Path(__file__).parents[2] / "server" / "certo"
OTHER_WORDS = {
    "sandbox/selection.py": {"auto"},  # how runs are confined
    "sandbox/windows/windows_executor.py": {"auto"},  # the same
    "verification/tools/runner.py": {"auto"},  # which of the project's tools judge
}
"""Names of strategies that mean something else in a file."""


def names_decided_by(source: str) -> Iterator[str]:
    """The constants that a program compares with, matches, looks up in a table, or looks for in a set."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, comparators=others):
                yield from _constants(left, *others)
            case ast.MatchValue(value=value):
                yield from _constants(value)
            case ast.Dict(keys=keys):
                yield from _constants(*filter(None, keys))
            case ast.Set():
                yield from _constants(node)


def _constants(*nodes: ast.expr) -> Iterator[str]:
    """The texts among some expressions, those in tuples, lists and sets included."""
    for node in nodes:
        match node:
            case ast.Constant(value=str(value)):
                yield value
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                yield from _constants(*elements)


def test_only_strategies_decide_by_their_names():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        text = path.read_text(encoding="utf-8")
        # To parse a file takes far longer than to see that it names no strategy.
        if not name.startswith("strategies/") and any(strategy in text for strategy in ENTRIES):
            decided = ENTRIES.keys() & set(names_decided_by(text))
            found[name] = decided - OTHER_WORDS.get(name, set())
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    [
        'alone = search.strategy == "retry"',
        'alone = "retry" != search.strategy',
        'alone = search.strategy in ("mcts", "retry")',
        'ALONE = frozenset({"mcts", "retry"})',
        'lines = {"retry": 3}.get(name, 1)',
        'match name:\n    case "mcts" | "retry":\n        pass',
    ],
)
def test_deciding_by_a_name_is_found(line: str):
    assert "retry" in set(names_decided_by(line))


def test_naming_a_strategy_decides_nothing():
    assert list(names_decided_by('search = {"search.strategy": "retry"}\nload("mcts")')) == ["search.strategy"]
