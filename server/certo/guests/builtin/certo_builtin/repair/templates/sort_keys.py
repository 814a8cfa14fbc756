"""Templates for wrong orders: a call that sorts or chooses with a missing or wrong key, direction or default."""

from __future__ import annotations

import ast
from typing import Iterator, List, Optional, Tuple

from certo_builtin.repair.context import CALLABLES, RepairContext
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import Edit

ORDERING = frozenset({"sorted", "max", "min"})
KEYS = (
    ("len", 1.0), ("abs", 0.7), ("str.lower", 0.5), ("str", 0.5), ("sum", 0.4), ("lambda x: x[0]", 0.5),
    ("lambda x: x[1]", 0.8), ("lambda x: x[-1]", 0.5), ("lambda x: -x", 0.5), ("lambda x: (len(x), x)", 0.6),
    ("lambda x: (-len(x), x)", 0.4),
    ("lambda x: (x[1], x[0])", 0.4), ("lambda x: (-x[1], x[0])", 0.4), ("lambda x: (abs(x), x)", 0.3),
)  # fmt: skip
"""Common sort keys; ties are broken by the item itself if the first may tie."""


def _orders(node: ast.AST) -> Optional[str]:
    """Return the name of the sorting function that a call calls; None if it calls none."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ORDERING and len(node.args) == 1:
            return node.func.id
        if isinstance(node.func, ast.Attribute) and node.func.attr == "sort" and not node.args:
            return "sort"
    return None


def _keyword(node: ast.Call, name: str) -> Optional[ast.keyword]:
    return next((one for one in node.keywords if one.arg == name), None)


def _added(context: RepairContext, node: ast.Call, text: str) -> Tuple[Edit, ...]:
    """Add an argument at the end of a call."""
    end = context.source.end(node) - 1
    before = context.source.text[context.source.end(node.func) : end].rstrip()
    lead = "" if before.endswith("(") else " " if before.endswith(",") else ", "
    return ((end, end, lead + text),)


def _keys(context: RepairContext, node: ast.Call) -> List[Tuple[str, float]]:
    function = context.function_of(node)
    own = [name for name in context.names(node) if context.kinds(function, name) & CALLABLES]
    found = list(KEYS)
    for name in dict.fromkeys(own + context.functions):
        if name != context.target.name:
            found += [(name, 0.8), ("lambda x: ({}(x), x)".format(name), 0.3)]
    found += [("lambda x: x." + name, 0.6) for name in context.attribute_names()[:8]]
    return found


def keyed(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other sort keys than none or the existing one."""
    if _orders(node) and isinstance(node, ast.Call):
        present = _keyword(node, "key")
        for key, weight in _keys(context, node):
            if present is None:
                yield Change(_added(context, node, "key=" + key), weight)
            elif context.text(present.value) != key:
                yield Change(context.swap(present.value, key), weight)
        if present is not None and isinstance(present.value, ast.Lambda):
            body = context.text(present.value.body)
            variables = [one.arg for one in present.value.args.args]
            shapes = ["-({})".format(body), *("({}, {})".format(body, one) for one in variables)]
            shapes += ["(-({}), {})".format(body, one) for one in variables]
            for shape in shapes:
                yield Change(context.swap(present.value.body, shape))


def directed(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield the other direction, or another default for an empty collection."""
    kind = _orders(node)
    if not kind or not isinstance(node, ast.Call):
        return
    if kind in ("sorted", "sort") and _keyword(node, "reverse") is None:
        yield Change(_added(context, node, "reverse=True"))
    for option in node.keywords:
        if option.arg in ("reverse", "key"):
            start, end = context.source.start(option.value), context.source.end(option.value)
            comma = context.source.text.rfind(",", context.source.start(node), start)
            if comma >= 0 and context.source.text[comma + 1 : start].strip().startswith(option.arg):
                yield Change(((comma, end, ""),))
    if kind in ("max", "min") and _keyword(node, "default") is None:
        for fallback in ("0", "None"):
            yield Change(_added(context, node, "default=" + fallback), 0.4)


TEMPLATES = (
    Template("another order", 0.3, keyed),
    Template("another direction or fallback", 0.3, directed),
)
