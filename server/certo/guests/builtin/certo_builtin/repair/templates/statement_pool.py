"""Pool of statements that might be missing, made of the visible variables by the types of their values."""

from __future__ import annotations

import ast
from typing import FrozenSet, Iterator, List, Tuple

from certo_builtin.repair.context import SEQUENCES, RepairContext

Line = Tuple[str, float]
"""The text of a statement and its weight."""

ADDED = frozenset({"int", "float", "str", "list"})
"""Types of values that are summed up."""

SIGNED = frozenset({"int", "float"})
MAPPINGS = frozenset({"dict", "defaultdict", "Counter"})
MADE = (ast.Subscript, ast.Call, ast.BinOp, ast.Tuple)
MAX_MADE = 8
"""Maximum size, in nodes, of an expression offered for a collection."""


def lines_made(context: RepairContext, node: ast.AST) -> Iterator[Line]:
    """Yield calls that change a variable or an attribute of one, and assignments to them, with weights."""
    function, names = context.function_of(node), context.values(node)
    for name in [*names, *context.parts(node)]:
        kinds = context.kinds(function, name)
        others = [other for other in names if other not in (name, name.partition(".")[0])]
        yield from _calls(context, node, name, kinds, others)
        for other in others:
            yield "{} = {}".format(name, other), context.alike(node, name, other)
            if kinds & context.kinds(function, other) & ADDED:
                yield "{} += {}".format(name, other), 0.8
        yield from _of_itself(name, kinds)
        if kinds & MAPPINGS:
            yield from _items(name, others)


def _calls(
    context: RepairContext, node: ast.AST, name: str, kinds: FrozenSet[str], others: List[str]
) -> Iterator[Line]:
    """Yield calls that add to or remove from a collection."""
    methods = {"add": 1.0, "discard": 0.4, "update": 0.4} if "set" in kinds else {}
    if kinds & {"list", "deque"}:
        methods.update({"append": 1.0, "extend": 0.4, "remove": 0.4})
        for method in ("sort", "reverse", "pop"):
            yield "{}.{}()".format(name, method), 0.4
    for method, weight in methods.items():
        for other in others:
            yield "{}.{}({})".format(name, method, other), weight
    for method in sorted(methods.keys() & {"append", "add"}):
        for text, one, size in context.ingredients(node):
            if isinstance(one, MADE) and size <= MAX_MADE:
                yield "{}.{}({})".format(name, method, text), 0.3
        for other in others:
            if context.kinds(context.function_of(node), other) & SIGNED:
                yield "{}.{}(-{})".format(name, method, other), 0.3


def _of_itself(name: str, kinds: FrozenSet[str]) -> Iterator[Line]:
    """Yield updates of a variable by its own value."""
    shapes: List[Line] = []
    if kinds & {"int", "float"}:
        shapes += [
            ("{} += 1", 0.8),
            ("{} -= 1", 0.8),
            ("{} = 0", 0.8),
            ("{0} = {0} // 10", 0.2),
            ("{0} = {0} // 2", 0.2),
        ]
    if kinds & SEQUENCES:
        shapes += [(one, 0.3) for one in ("{0} = sorted({0})", "{0} = {0}[1:]", "{0} = {0}[::-1]", "{0} = []")]
    if "bool" in kinds:
        shapes += [("{} = True", 0.5), ("{} = False", 0.5)]
    yield from ((shape.format(name), weight) for shape, weight in shapes)


def _items(name: str, others: List[str]) -> Iterator[Line]:
    """Yield assignments or counts of a mapping's item."""
    for key in others:
        yield "{0}[{1}] = {0}.get({1}, 0) + 1".format(name, key), 0.4
        for value in others:
            if value != key:
                yield "{}[{}] = {}".format(name, key, value), 0.3
