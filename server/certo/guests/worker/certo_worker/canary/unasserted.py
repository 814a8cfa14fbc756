"""Tests that state nothing but that they run to their end, and the statements that no passing test executes."""

from __future__ import annotations

import ast
import sys
from typing import Any, List

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_BRANCHES = (
    *(ast.Assert, ast.Raise, ast.Return, ast.If, ast.IfExp, ast.BoolOp, ast.For, ast.AsyncFor, ast.While, ast.Try),
    *(ast.With, ast.AsyncWith, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Lambda, ast.ClassDef, *_FUNCTIONS),
    *([ast.Match] if sys.version_info >= (3, 10) else []),
    *([ast.TryStar] if sys.version_info >= (3, 11) else []),
)
"""What asserts, or decides whether something is asserted."""

_FAILING = frozenset(("self", "cls", "pytest"))
"""Names of what has the `fail` of a test."""

RAISES = frozenset(("raises", "assertRaises", "assertRaisesRegex"))
WARNS = frozenset(("warns", "assertWarns", "assertWarnsRegex"))


def asserts_nothing(function: Any) -> bool:
    """True if a function is a test that passes if it runs from its first to its last line.

    That is so of one that may fail by `fail()` alone, where an exception is handled or after a call that has to raise:
    no passing test executes it, so there is nothing in it to be broken.
    """
    return function.name.startswith("test") and _is_bare(function.body)


def is_never_executed(statement: ast.AST) -> bool:
    """True for `self.fail()`, `pytest.fail()`, `fail()`, `assert False` and `raise AssertionError`."""
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return raised is not None and last_name(raised) == "AssertionError"
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and _is_fail(call.func)


def _is_fail(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        # A `fail` of any other object may well be what is tested.
        return function.attr == "fail" and isinstance(function.value, ast.Name) and function.value.id in _FAILING
    return isinstance(function, ast.Name) and function.id == "fail"


def _is_bare(statements: List[ast.stmt], *, inner: bool = False) -> bool:
    return all(_asserts_none(statement, inner) for statement in statements)


def _asserts_none(statement: Any, inner: bool) -> bool:
    """True if a statement asserts nothing and leads on to the next; in an `inner` function, it may return."""
    if is_never_executed(statement):
        return True
    if isinstance(statement, _FUNCTIONS):
        return _is_bare(statement.body, inner=True)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        # What is within may be skipped, if the candidate makes the context.
        return all(isinstance(each, ast.Pass) for each in statement.body) and not any(map(branches, statement.items))
    if isinstance(statement, ast.Try):
        return _tries_only(statement, inner)
    if inner and isinstance(statement, ast.Return):
        return statement.value is None or not branches(statement.value)
    return not branches(statement)


def _tries_only(statement: ast.Try, inner: bool) -> bool:
    """True if a `try` asserts no more than that its body raises, or that it raises nothing."""
    has_to_raise = is_never_executed((statement.orelse or statement.body)[-1])
    for handler in statement.handlers:
        passes = all(isinstance(each, ast.Pass) for each in handler.body)
        fails = is_never_executed(handler.body[-1]) and _is_bare(handler.body)
        if not (passes and has_to_raise) and not fails:
            return False
    return _is_bare([*statement.body, *statement.orelse, *statement.finalbody], inner=inner)


def branches(node: ast.AST) -> bool:
    """True if something in a node asserts, or decides whether something is asserted."""
    return any(isinstance(each, _BRANCHES) or _names_assertion(each) for each in ast.walk(node))


def _names_assertion(node: ast.AST) -> bool:
    name = last_name(node) if isinstance(node, (ast.Attribute, ast.Name)) else ""
    return name.startswith("assert") or name in RAISES or name in WARNS or name in ("fail", "exit")


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
