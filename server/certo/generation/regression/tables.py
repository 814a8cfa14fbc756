"""Tests that are rows of one table, as pytest's `parametrize` has them, where several calls have the same form."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from certo.generation.regression.layout import TestStyle
from certo.generation.regression.test_file import NewTest, TableRow

MIN_ROWS_LIKE_NEIGHBOURS = 2
MIN_ROWS = 5
"""Minimum number of tests of one form that become rows: where the neighbours have such tables, and elsewhere."""


def in_tables(
    tests: Sequence[NewTest], function: str, parameters: Sequence[str], style: TestStyle, taken: Collection[str]
) -> tuple[NewTest, ...]:
    """Return the tests of a function, those of the same form as rows of a table, under a name that is not `taken`."""
    table = f"test_{function.strip('_')}"
    if style.form == "unittest" or table in taken or any(test.name == table for test in tests):
        return tuple(tests)
    forms: dict[str, dict[str, TableRow]] = defaultdict(dict)
    for test in tests:
        for form, row in _rows(test, table, parameters):
            forms[form][test.name] = row
    rows = max(forms.values(), key=len, default={})
    if len(rows) < (MIN_ROWS_LIKE_NEIGHBOURS if style.uses_parametrize else MIN_ROWS):
        return tuple(tests)
    alone = tuple(test for test in tests if test.name not in rows)
    return (*(_as_row(test, rows[test.name]) for test in tests if test.name in rows), *alone)


def _as_row(test: NewTest, row: TableRow) -> NewTest:
    body = replace(test.body, modules=tuple(sorted({*test.body.modules, "pytest"})))
    return replace(test, name=f"{row.table}[{row.id}]", body=body, row=row)


def _rows(test: NewTest, table: str, parameters: Sequence[str]) -> Iterator[tuple[str, TableRow]]:
    """Yield the form of a test and its row, if it only compares a plain call with a value."""
    body, name = test.body, test.name.removeprefix(f"{table}_")
    if name == test.name or body.setup or len(body.assertions) != 1:
        return
    lines = body.assertions[0].lines
    asserted = ast.parse(lines[0]).body[0] if len(lines) == 1 else None
    if not isinstance(asserted, ast.Assert) or not isinstance(asserted.test, ast.Compare):
        return
    call, expected = asserted.test.left, asserted.test.comparators[0]
    if not isinstance(call, ast.Call) or call.keywords or not call.args or len(call.args) > len(parameters):
        return
    names = (*parameters[: len(call.args)], "expected")
    if len({*names, *body.fixtures}) != len(names) + len(body.fixtures) or not all(map(str.isidentifier, names)):
        return
    given = {node.id for one in call.args for node in ast.walk(one) if isinstance(node, ast.Name)}
    if _hides(call.func, names) or given & {*body.fixtures}:
        return
    operator = "is" if isinstance(asserted.test.ops[0], ast.Is) else "=="
    function = ast.unparse(call.func)
    statement = f"assert {function}({', '.join(names[:-1])}) {operator} expected"
    values = tuple(ast.unparse(one) for one in (*call.args, expected))
    yield (
        statement,
        TableRow(table=table, id=name, names=names, values=values, fixtures=body.fixtures, statement=statement),
    )


def _hides(function: ast.expr, names: Collection[str]) -> bool:
    """True if a parameter would hide what the call needs."""
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(function))
