"""Templates that reuse an expression of the function elsewhere: most code a repair needs exists nearby."""

from __future__ import annotations

import ast
from typing import Iterator

from certo_builtin.repair.context import CALLABLES, RepairContext
from certo_builtin.repair.templates.template import Change, Template


def transplanted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield small expressions of the function for any other, likelier if both are of one syntactic kind and small."""
    if not isinstance(node, ast.expr) or isinstance(node, (ast.Lambda, ast.Starred, ast.Slice)):
        return
    parent = context.parent(node)
    stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
    if stored or context.is_callee(node) or isinstance(parent, (ast.keyword, ast.Attribute)):
        return
    text = context.text(node)
    function = context.function_of(node)
    for other, one, size in context.ingredients(node):
        both_names = isinstance(node, ast.Name) and isinstance(one, ast.Name)
        if other == text or both_names:
            continue
        weight = (1.0 if type(one) is type(node) else 0.5) * min(1.0, 4 / size)
        if isinstance(one, ast.Name) and context.kinds(function, one.id) & CALLABLES:
            weight *= 0.1
        yield Change(context.replace(node, other), weight)


def joined(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield an expression joined with another one before or after it."""
    if isinstance(node, (ast.Return, ast.Assign)) and node.value is not None and not isinstance(node.value, ast.Tuple):
        value = context.text(node.value)
        for other, one, size in context.ingredients(node):
            if size <= 5 and isinstance(one, (ast.Subscript, ast.Call, ast.Attribute)) and other != value:
                yield Change(context.swap(node.value, "{} + {}".format(other, value)), 0.5)
                yield Change(context.swap(node.value, "{} + {}".format(value, other)), 0.5)


TEMPLATES = (
    Template("another expression of the function", 0.5, transplanted),
    Template("a missing summand", 0.2, joined),
)
