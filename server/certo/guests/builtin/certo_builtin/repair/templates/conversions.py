"""Templates for values of another form than the rest of the function expects: converted first, or right as they are."""

from __future__ import annotations

import ast
from bisect import bisect_left
from functools import lru_cache
from typing import Dict, Iterator, List, Set, Tuple

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
    first = _first_read(context).get(node, set())
    lines = _read_lines(context, context.function_of(node)) if first else {}
    for name in context.values(node) if first else ():
        if name in first and len(lines[name]) - bisect_left(lines[name], node.lineno) >= MIN_READS:
            for callee, weight in _conversions(context, node, name):
                yield Change(insertion(context, node, ["{0} = {1}({0})".format(name, callee)]), weight)


@lru_cache(maxsize=4)
def _first_read(context: RepairContext) -> Dict[ast.AST, Set[str]]:
    """Return the variables that each statement of the target reads and no one before it in its block does."""
    found: Dict[ast.AST, Set[str]] = {}
    for parent in context.within(context.target):
        for _, value in ast.iter_fields(parent):
            read: Set[str] = set()
            for one in value if isinstance(value, list) else ():
                if isinstance(one, ast.stmt):
                    found[one] = {name.id for name in _reads(context, one)} - read
                    read |= found[one]
    return found


@lru_cache(maxsize=16)
def _read_lines(context: RepairContext, function: ast.AST) -> Dict[str, List[int]]:
    """Return the lines, in order, in which a function reads each variable."""
    found: Dict[str, List[int]] = {}
    for one in _reads(context, function):
        found.setdefault(one.id, []).append(one.lineno)
    return {name: sorted(lines) for name, lines in found.items()}


def _reads(context: RepairContext, node: ast.AST) -> List[ast.Name]:
    return [one for one in context.within(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]


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
