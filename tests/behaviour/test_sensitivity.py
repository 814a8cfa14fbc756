"""Beside "no difference" stands how many small changes the same calls would have noticed."""

from __future__ import annotations

from pathlib import Path

from behaviour.test_version_comparison import compared
from certo.behaviour.version_comparison import ComparisonBudget

BUDGET = ComparisonBudget(calls=200, mutants=20)


async def test_changes_that_the_calls_notice(tmp_path: Path) -> None:
    """What is done in a case that no call reaches can be changed unnoticed."""
    head = "def f(n: int) -> int:\n    if n * 2654435761 % 4294967291 == 77:\n"
    text = f"{head}        return n // 3\n    return n * 2 + 1\n"
    found = (await compared(tmp_path, "f", text, text.replace("n * 2 + 1", "1 + 2 * n"), budget=BUDGET)).sensitivity
    assert 0 < found.noticed < found.tried <= 20
    assert 0 < found.share < 1


async def test_none_is_tried_beside_a_difference(tmp_path: Path) -> None:
    text = "def f(n: int) -> int:\n    return n + 1\n"
    found = await compared(tmp_path, "f", text, text.replace("+", "-"), budget=BUDGET)
    assert (found.sensitivity.noticed, found.sensitivity.tried) == (0, 0)
