"""Each row of the acceptance table has a test, and no test names a row that is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]


def marked_rows(module: Path) -> Iterator[int]:
    """Yield the rows that `pytest.mark.acceptance(…)` names on a module, its classes and its tests."""
    text = module.read_text(encoding="utf-8")
    if "mark.acceptance" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.acceptance":
            yield from map(ast.literal_eval, node.args)


def test_each_row_has_a_test() -> None:
    table = (TESTS / "acceptance.md").read_text(encoding="utf-8")
    rows = {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    marked = {row: module.name for module in TESTS.rglob("test_*.py") for row in marked_rows(module)}
    assert rows - marked.keys() == set(), "rows that no test is marked with"
    assert {row: module for row, module in marked.items() if row not in rows} == {}, "rows that are not in the table"
