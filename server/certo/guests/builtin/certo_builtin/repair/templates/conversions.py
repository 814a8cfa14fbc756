"""Templates for values of another form than the rest of the function expects: converted first, or right as they are."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import COLLECTIONS, NUMBERS, RepairContext
from certo_builtin.repair.templates.project_calls import callees
from certo_builtin.repair.templates.statements import insertion
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS

CONVERSIONS = (("list", 1.0), ("tuple", 0.6), ("str", 0.6), ("set", 0.3), ("int", 0.3), ("sorted", 0.3))
"""Built-ins that make one value of another, with weights."""

NO_CONVERSIONS = frozenset({"len", "print", "type", "repr", "bool", "id", "hash", "iter", "next"})
"""Functions of one argument whose result does not take its place."""

MIN_READS = 2
"""Number of times that a variable is read after it: a single place is better converted itself."""


def converted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `x = f(x)` before the first statement of a block that reads a variable which is read again."""
    if not isinstance(node, ast.stmt) or isinstance(node, (*FUNCTIONS, ast.ClassDef)) or not context.owns_lines(node):
        return
    block = context.siblings(node)
    before = block[: block.index(node)] if node in block else []
    for name in _read_first(context, node, before):
        for callee, weight in _conversions(context, node, name):
            yield Change(insertion(context, node, ["{0} = {1}({0})".format(name, callee)]), weight)


def _read_first(context: RepairContext, node: ast.stmt, before: List[ast.stmt]) -> List[str]:
    """Return the variables that a statement reads, that no one before it in its block does, and that are read again."""
    read = set(_reads(context, node))
    for one in before:
        read -= set(_reads(context, one))
    after = [
        one.id
        for one in context.within(context.function_of(node))
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.lineno >= node.lineno
    ]
    return [name for name in context.values(node) if name in read and after.count(name) >= MIN_READS]


def _reads(context: RepairContext, node: ast.stmt) -> List[str]:
    return [one.id for one in context.within(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]


def _conversions(context: RepairContext, node: ast.AST, name: str) -> Iterator[Tuple[str, float]]:
    kinds = context.kinds(context.function_of(node), name)
    found: Dict[str, float] = dict(callees(context))
    if not kinds & NUMBERS:
        found.update((text, max(weight, found.get(text, 0.0))) for text, weight in CONVERSIONS)
    for text, weight in found.items():
        is_done = text in kinds or text.startswith(name + ".")
        if text not in NO_CONVERSIONS and not is_done:
            yield text, weight


def right_already(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `x if isinstance(x, K) else …x…`: a failing check gives what the expression makes."""
    if not isinstance(node, (ast.Assign, ast.Return)) or not isinstance(
        node.value, (ast.Call, ast.JoinedStr, ast.BinOp)
    ):
        return
    function, text = context.function_of(node), context.text(node.value)
    values = set(context.values(node))
    read = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)} & values
    for name in sorted(read) if "\n" not in text else ():
        for kind in sorted(context.telling_kinds(function, name)):
            if kind in context.scope or kind in KINDS:
                shape = "{0} if isinstance({0}, {1}) else {2}".format(name, kind, text)
                yield Change(context.swap(node.value, shape), 1.0 / len(read))


KINDS = COLLECTIONS | NUMBERS | {"bytes"}

TEMPLATES = (
    Template("a value not converted", 0.2, converted),
    Template("a value that is right already", 0.3, right_already),
)
