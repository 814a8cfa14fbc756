"""Removal of assertions from tests, so that they run whatever the function under test returns."""

from __future__ import annotations

import ast
from collections.abc import Callable

from certo.edits.source import parse_fresh

_RAISES = frozenset({"raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex"})
"""Context managers that expect an exception, which need not come once nothing is asserted."""


def without_assertions(code: str) -> str:
    """Return the code without `assert` and unittest assertions; the body of `with raises(…)` stays, without the `with`.

    Code that does not parse is returned unchanged, because running it reports the error.
    """
    return _changed(code, _Assertions().visit)


def without_tests(code: str) -> str:
    """Return the code without assertions and without anything named like a test."""

    def change(tree: ast.Module) -> ast.Module:
        tree.body = [each for each in tree.body if not _is_test(each)]
        return tree

    return _changed(without_assertions(code), change)


def mocking(code: str, function: str) -> str:
    """Return the code with a mock for a missing function, which accepts and returns anything."""
    stand_in = ast.parse(f"from unittest.mock import MagicMock\n{function} = MagicMock(name={function!r})")

    def change(tree: ast.Module) -> ast.Module:
        tree = _Imports(function).visit(tree)
        kept = [each for each in tree.body if getattr(each, "name", "") != function]
        after = next((number for number, each in enumerate(kept) if not _comes_first(each)), len(kept))
        tree.body = [*kept[:after], *stand_in.body, *kept[after:]]
        return tree

    return _changed(code, change)


def _changed(code: str, change: Callable[[ast.Module], ast.Module]) -> str:
    try:
        return ast.unparse(ast.fix_missing_locations(change(parse_fresh(code))))
    except (SyntaxError, RecursionError):
        return code


class _Assertions(ast.NodeTransformer):
    """Replaces each assertion by `pass`, so that no block becomes empty."""

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        called = _called(node.value)
        asserts = called.startswith("assert") or called in _RAISES or called == "fail"
        return ast.copy_location(ast.Pass(), node) if asserts else node

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        kept = [item for item in node.items if _called(item.context_expr) not in _RAISES]
        if not kept:
            return node.body
        node.items = kept
        return node


class _Imports(ast.NodeTransformer):
    """Removes the import of one name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        node.names = [alias for alias in node.names if (alias.asname or alias.name) != self._name]
        return node if node.names else ast.copy_location(ast.Pass(), node)


def _is_test(statement: ast.stmt) -> bool:
    """True if a statement defines a function or class named like a test."""
    if isinstance(statement, ast.ClassDef):
        return statement.name.startswith("Test") or any(
            ast.unparse(base).endswith("TestCase") for base in statement.bases
        )
    return isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test")


def _comes_first(statement: ast.stmt) -> bool:
    """True if a statement must come first: a docstring, or a `__future__` import."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _called(node: ast.expr) -> str:
    """Return the last part of the name of a called function: `raises` of `pytest.raises(ValueError)`."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
