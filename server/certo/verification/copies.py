"""How much the compiler makes of a text: it writes what stands in a `finally` anew for each way out of its `try`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

MOST_STATEMENTS = 200_000
"""More than the longest function has, and far less than a few lines of `finally` in `finally` can be made to mean."""


@dataclass(frozen=True, slots=True)
class _Written:
    """Statements as the compiler writes them, and how many of them leave what they stand in."""

    statements: int = 0
    exits: int = 0

    def __add__(self, other: _Written) -> _Written:
        return _Written(self.statements + other.statements, self.exits + other.exits)

    def times(self, copies: int) -> _Written:
        return _Written(self.statements * copies, self.exits * copies)


def statements_compiled(body: Iterable[ast.AST]) -> int:
    """How many statements the compiler makes of these, at the most.

    Twenty `finally`, each in the one before, are a million copies of the last one, and gigabytes of memory.

    Raises:
        RecursionError: they are nested too deeply.
    """
    return _written(body).statements


def _written(body: Iterable[ast.AST]) -> _Written:
    return sum(map(_of_one, body), _Written())


def _of_one(node: ast.AST) -> _Written:
    one = _Written(1, int(isinstance(node, ast.Return | ast.Break | ast.Continue)))
    below = [
        part
        for name, value in ast.iter_fields(node)
        if name in ("body", "orelse", "handlers", "cases") and isinstance(value, list)
        for part in value
    ]
    inside = _written(below)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return _Written(1 + inside.statements)
    if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
        # Once where all went well, once where something was raised, and once for each statement that leaves.
        return one + inside + _written(node.finalbody).times(2 + inside.exits)
    return one + inside
