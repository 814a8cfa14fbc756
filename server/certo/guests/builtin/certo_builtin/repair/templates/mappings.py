"""Templates for wrong items: an existing value is overwritten, or read before it exists."""

from __future__ import annotations

import ast
from typing import Iterator

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.statement_pool import MAPPINGS
from certo_builtin.repair.templates.template import Change, Template

DEFAULTS = (("0", 1.0), ("None", 0.6), ("[]", 0.5), ("''", 0.4), ("False", 0.3), ("{}", 0.2))
"""Common defaults for a missing key, with weights."""

KEPT = (
    ("{0}[{1}] = {0}.get({1}, 0) + {2}", 1.0),
    ("{0}.setdefault({1}, []).append({2})", 0.7),
    ("{0}.setdefault({1}, {2})", 0.5),
    ("{0}[{1}] = max({0}.get({1}, {2}), {2})", 0.4),
    ("{0}[{1}] = min({0}.get({1}, {2}), {2})", 0.4),
    ("{0}[{1}] = {0}.get({1}, []) + {2}", 0.3),
    ("{0}[{1}] = {0}.get({1}, '') + {2}", 0.3),
    ("{0}.setdefault({1}, set()).add({2})", 0.3),
)
"""Ways to set an item that keep the old value: sums, groups, the first, the extremes."""


def _is_item(context: RepairContext, node: ast.AST) -> bool:
    """True if a node is an item of an observed or possible mapping."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return False
    return isinstance(node.value, (ast.Name, ast.Attribute)) and context.may_be(
        node, context.text(node.value), MAPPINGS
    )


def _key(context: RepairContext, item: ast.Subscript) -> str:
    """Return the source between the brackets of an item."""
    return context.source.text[context.source.end(item.value) : context.source.end(item) - 1].lstrip()[1:].strip()


def kept(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield item assignments that combine the new value with the old one."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        item: ast.expr = node.targets[0]
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        item = node.target
    else:
        return
    if not isinstance(item, ast.Subscript) or not _is_item(context, item):
        return
    owner, key, value = context.text(item.value), _key(context, item), context.text(node.value)
    if owner not in value:
        for shape, weight in KEPT:
            yield Change(context.swap(node, shape.format(owner, key, value)), weight)


def defaulted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield reads of an item with a default."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or not _is_item(context, node):
        return
    owner, key, parent = context.text(node.value), _key(context, node), context.parent(node)
    if not isinstance(parent, (ast.Attribute, ast.Subscript)) or node is not parent.value:
        for default, weight in DEFAULTS:
            yield Change(context.replace(node, "{}.get({}, {})".format(owner, key, default)), weight)
    elif context.is_callee(parent):
        for empty, weight in (("[]", 1.0), ("set()", 0.6), ("{}", 0.3)):
            yield Change(context.swap(node, "{}.setdefault({}, {})".format(owner, key, empty)), weight)


TEMPLATES = (
    Template("an item not added to what is there", 0.35, kept),
    Template("a missing default", 0.3, defaulted),
)
