"""Calls from source: those in the examples of a function's docstring, and single ones, as inputs for its tests."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Any

from certo.edits.target import examples
from certo.vocabulary.errors import BadSource
from certo.vocabulary.problem import Target

MAX_CALLS = 40


def docstring_calls(target: Target, text: str, callee: str) -> list[dict[str, Any]]:
    """Return the calls of a plain function in its docstring's examples, as the guest program reads them.

    What earlier lines of an example assign is not known to a test, so calls with such names are left out.
    """
    try:
        sources = [one.source for one in examples(target, text)]
        known = _module_names(ast.parse(text.lstrip("\ufeff")))
    except (BadSource, SyntaxError):
        return []
    found = [call for source in sources for call in _calls(source, callee, known)]
    return found[:MAX_CALLS]


def call_of(text: str, wire: dict[str, Any]) -> dict[str, Any] | None:
    """Return a call of the subject from its source, as the guest program reads it; None if it is another expression."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    called = tree.func if isinstance(tree, ast.Call) else tree
    given = tree if isinstance(tree, ast.Call) else ast.Call(func=tree, args=[], keywords=[])
    if any(isinstance(one, ast.Starred) for one in given.args) or any(one.arg is None for one in given.keywords):
        return None
    if isinstance(called, ast.Attribute) and called.attr == wire["name"]:
        receiver = ast.unparse(called.value)
    elif isinstance(called, ast.Name) and called.id == wire["name"] and not wire["has_receiver"]:
        receiver = None
    else:
        return None
    return {
        "callee": wire["name"],
        "receiver": receiver,
        "arguments": [ast.unparse(one) for one in given.args],
        "named": {str(one.arg): ast.unparse(one.value) for one in given.keywords},
        "is_property": wire["is_property"],
    }


def _module_names(tree: ast.Module) -> set[str]:
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, defined)} | set(dir(builtins))


def _calls(source: str, callee: str, known: set[str]) -> Iterator[dict[str, Any]]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != callee:
            continue
        given = [*node.args, *(one.value for one in node.keywords)]
        names = {each.id for one in given for each in ast.walk(one) if isinstance(each, ast.Name)}
        is_spread = any(isinstance(one, ast.Starred) for one in node.args) or any(
            one.arg is None for one in node.keywords
        )
        if names <= known and not is_spread:
            yield {
                "callee": callee,
                "receiver": None,
                "arguments": [ast.unparse(one) for one in node.args],
                "named": {str(one.arg): ast.unparse(one.value) for one in node.keywords},
                "is_property": False,
            }
