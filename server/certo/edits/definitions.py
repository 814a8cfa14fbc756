"""The functions of a module, with the names Python gives them and the nodes they stand in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """One function definition; `qualname` is what its `__qualname__` will be.

    `ancestors` are the nodes it stands in, the module first.
    """

    node: Function
    qualname: str
    ancestors: tuple[ast.AST, ...]


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Yield every function definition of a module, methods and nested functions too, in the order of the text."""
    yield from _within(tree, "", (tree,))


def _within(node: ast.AST, prefix: str, ancestors: tuple[ast.AST, ...]) -> Iterator[Definition]:
    """Yield the definitions among a node's statements; expressions are left alone, as they hold none."""
    for statement in statements_in(node):
        below = (*ancestors, statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            qualname = prefix + statement.name
            yield Definition(statement, qualname, ancestors)
            yield from _within(statement, f"{qualname}.<locals>.", below)
        elif isinstance(statement, ast.ClassDef):
            yield from _within(statement, f"{prefix}{statement.name}.", below)
        else:
            yield from _within(statement, prefix, below)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, exception handlers and match cases right below a node."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        below = getattr(node, field, ())
        if isinstance(below, list):
            yield from below
