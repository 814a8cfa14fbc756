"""Each row of the acceptance table is ticked by a test module, and no module ticks a row that is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]

NUMBERS = re.compile(r"\b[Rr]ows? (\d+(?:(?:-|–| to |, | and |, and )(?:rows? )?\d+)*)")


def ticked(docstring: str) -> Iterator[int]:
    """The rows a docstring names: "Row 4", "Rows 40 to 42 and 45"."""
    for found in NUMBERS.finditer(docstring):
        for part in re.split(r", and |, | and ", found[1]):
            first, _, last = (
                part.removeprefix("rows ").removeprefix("row ").replace("–", "-").replace(" to ", "-").partition("-")
            )
            yield from range(int(first), int(last or first) + 1)


def test_acceptance_rows_and_ticks_match() -> None:
    table = (TESTS / "acceptance.md").read_text(encoding="utf-8")
    rows = {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    ticks = {
        row: module.name
        for module in TESTS.rglob("test_*.py")
        for row in ticked(ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "")
    }
    assert rows - ticks.keys() == set(), "rows that no test module names in its docstring"
    assert {row: module for row, module in ticks.items() if row not in rows} == {}, "rows that are not in the table"
