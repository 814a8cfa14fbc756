"""Templates for None: truth asked where only None is meant, and None where a value is needed."""

from __future__ import annotations

import ast
from typing import Iterator

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.template import Change, Template

FALLBACKS = (("''", 1.0), ("[]", 0.8), ("{}", 0.6), ("0", 0.6), ("()", 0.3))
"""What stands in for None, with weights."""


def only_none(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield questions for None in place of truth, and the other way round: 0 and '' are false as well."""
    if isinstance(node, (ast.Name, ast.Attribute)) and context.is_condition(node):
        text, parent = context.text(node), context.parent(node)
        if isinstance(parent, ast.UnaryOp):
            yield Change(context.replace(parent, text + " is None"))
        elif not isinstance(parent, ast.BoolOp) or context.is_condition(parent):
            yield Change(context.replace(node, text + " is not None"))
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and not context.is_condition(node):
        if len(node.values) == 2 and isinstance(node.values[0], (ast.Name, ast.Attribute)):
            one, other = (context.text(value) for value in node.values)
            yield Change(context.replace(node, "{0} if {0} is not None else {1}".format(one, other)))
    elif isinstance(node, ast.Compare) and _asks_none(node):
        text = context.text(node.left)
        yield Change(context.replace(node, text if isinstance(node.ops[0], ast.IsNot) else "not " + text), 0.5)


def _asks_none(node: ast.Compare) -> bool:
    right = node.comparators[0]
    asks = len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot))
    return asks and isinstance(right, ast.Constant) and right.value is None


def fallback(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a value that stands in for None: `x or ''`."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or context.is_condition(node):
        return
    stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
    if stored or context.is_callee(node) or isinstance(context.parent(node), (ast.Expr, ast.BoolOp)):
        return
    if may_be_none(context, node):
        for value, weight in FALLBACKS:
            text = "{} or {}".format(context.text(node), value)
            parent = context.parent(node)
            owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
            yield Change(context.swap(node, "({})".format(text)) if owner else context.replace(node, text), weight)


def may_be_none(context: RepairContext, node: ast.expr) -> bool:
    """True if a value was None at run time, or was not observed and may be None, as what `get` gives."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        seen = context.kinds(context.function_of(node), context.text(node))
        return "NoneType" in seen if seen else isinstance(node, ast.Attribute)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"


TEMPLATES = (
    Template("None or any false value", 0.4, only_none),
    Template("a missing fallback for None", 0.3, fallback),
)
