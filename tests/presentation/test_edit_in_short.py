"""An edit in a few words."""

from __future__ import annotations

import pytest

from certo.presentation.edit_in_short import fix_in_short
from certo.vocabulary.text import Hunk


@pytest.mark.parametrize(
    ("removed", "added", "expected"),
    [
        ("    middle = half + 1\n", "    middle = half - 1\n", "half + 1 → half - 1"),
        ("    if low < high:\n", "    if low <= high:\n", "low < high → low <= high"),
        ("    for n in range(1, top):\n", "    for n in range(1, top + 1):\n", "range(1, top) → range(1, top + 1)"),
        ("    return total\n", "    return price\n", "return total → return price"),
        ("", "    total += 1\n", "“total += 1” added"),
        ("    total += 1\n", "", "“total += 1” left out"),
    ],
)
def test_fix_of_one_line_is_written_out(removed: str, added: str, expected: str) -> None:
    hunk = Hunk(line=3, removed=(removed,) if removed else (), added=(added,) if added else ())
    assert fix_in_short([hunk], " is ready") == f"one-line fix is ready: {expected}"


def test_longer_fix_is_counted() -> None:
    assert fix_in_short([Hunk(line=3, removed=("a\n",), added=("b\n", "c\n"))]) == "fix of 2 lines"
    long = Hunk(line=3, removed=("x" * 60,), added=("y" * 60,))
    assert fix_in_short([long], " ready") == "one-line fix ready"
