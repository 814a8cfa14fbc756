"""Predicates over visible variables: the pool for guards and conditions."""

from __future__ import annotations

import ast
from functools import lru_cache
from heapq import nsmallest
from itertools import permutations
from typing import Dict, FrozenSet, Iterator, List, Tuple

from certo_builtin.repair.context import COLLECTIONS, NUMBERS, SEQUENCES, RepairContext

Predicate = Tuple[str, float]
"""The text of a condition and its weight."""

MAX_CONDITIONS_PER_NAME = 2
"""Maximum number of conditions at a place per nearby item."""

MAX_NUMBERS = 8
"""Maximum number of variables that are compared with one another."""


def predicates(context: RepairContext, node: ast.AST) -> List[Predicate]:
    """Return conditions over the variables visible at a node, each once."""
    found = [*_of_one(context, node), *_of_two(context, node), *_written(context, node), *_elsewhere(context, node)]
    best: Dict[str, float] = {}
    for text, weight in found:
        best[text] = max(weight, best.get(text, 0.0))
    most = MAX_CONDITIONS_PER_NAME * context.near
    return list(best.items()) if len(best) <= most else nsmallest(most, best.items(), key=lambda one: -one[1])


def _of_one(context: RepairContext, node: ast.AST) -> Iterator[Predicate]:
    for name in context.values(node):
        none = "NoneType" in context.kinds(context.function_of(node), name)
        yield "not {}".format(name), 1.0
        yield name, 1.0 if none else 0.6
        if context.is_object(node, name):
            yield "{} is None".format(name), 1.2 if none else 0.5
            yield "{} is not None".format(name), 1.0 if none else 0.3
        if context.may_be(node, name, NUMBERS):
            for operator in ("==", "<", ">", "<=", "!="):
                yield "{} {} 0".format(name, operator), 0.5
                yield "{} {} 1".format(name, operator), 0.35
            for test, weight in (("% 2 == 0", 0.2), ("% 2 == 1", 0.15), ("% 2 != 0", 0.1)):
                yield "{} {}".format(name, test), weight
        if "str" in context.kinds(context.function_of(node), name):
            for test in ("isalpha", "isdigit", "isupper", "islower", "isspace"):
                yield "{}.{}()".format(name, test), 0.2
        if context.may_be(node, name, SEQUENCES | COLLECTIONS):
            for test in ("== 1", "<= 1", "< 2", "> 1"):
                yield "len({}) {}".format(name, test), 0.35


def _of_two(context: RepairContext, node: ast.AST) -> Iterator[Predicate]:
    values = context.values(node)
    numbers = [name for name in values if context.may_be(node, name, NUMBERS)][:MAX_NUMBERS]
    for one, other in permutations(numbers, 2):
        for operator in ("<", "<=", "=="):
            if operator != "==" or one < other:
                yield "{} {} {}".format(one, operator, other), 0.3
    function = context.function_of(node)
    collections = [name for name in values if context.kinds(function, name) & COLLECTIONS]
    for name in values:
        for collection in collections:
            if name != collection:
                yield "{} in {}".format(name, collection), 0.25
                yield "{} not in {}".format(name, collection), 0.25
                yield "not {}[{}]".format(collection, name), 0.05


def _written(context: RepairContext, node: ast.AST) -> Iterator[Predicate]:
    for text, one, size in context.ingredients(node):
        if isinstance(one, ast.Compare) or (isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not)):
            yield text, 0.4
        elif isinstance(one, ast.Attribute) and size <= 5 and not context.is_callee(one):
            yield "{} is None".format(text), 0.4
            yield "not {}".format(text), 0.3
        elif isinstance(one, ast.Subscript) and size <= 5 and not isinstance(one.slice, ast.Slice):
            yield "not {}".format(text), 0.2
            yield "not len({})".format(text), 0.15


MAX_ELSEWHERE = 40
"""Maximum number of conditions of other functions that are offered at a place."""


def _elsewhere(context: RepairContext, node: ast.AST) -> Iterator[Predicate]:
    """Yield conditions that other functions ask and that can be asked here, as written and turned round."""
    own, known = set(context.names(node)), set(context.scope)
    number = 0
    for text, turned, names in _asked(context):
        # One that asks nothing of this function's own names would be the same for every call.
        if names & own and names <= own | known:
            yield text, 0.2
            yield turned, 0.15
            number += 1
            if number == MAX_ELSEWHERE:
                return


@lru_cache(maxsize=4)
def _asked(context: RepairContext) -> List[Tuple[str, str, FrozenSet[str]]]:
    """Return the short conditions in other functions of the module, nearest first: each with its opposite and names."""
    found: Dict[str, Tuple[int, str, FrozenSet[str]]] = {}
    inside = set(map(id, context.within(context.target)))
    for node in context.within(context.source.tree):
        single = isinstance(node, ast.Compare) and len(node.ops) == 1
        if id(node) in inside or not (single or isinstance(node, ast.Call)) or not context.is_condition(node):
            continue
        text = context.text(node) if isinstance(node, ast.expr) else ""
        if text and "\n" not in text and sum(1 for _ in ast.walk(node)) <= MAX_ASKED_NODES:
            names = frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
            distance = abs(context.line_of(node) - context.target.lineno)
            found.setdefault(text, (distance, _turned(context, node), names))
    return [(text, turned, names) for text, (_, turned, names) in sorted(found.items(), key=lambda entry: entry[1][0])]


MAX_ASKED_NODES = 12
OPPOSITES = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
}  # fmt: skip


def _turned(context: RepairContext, node: ast.AST) -> str:
    """Return the opposite of a condition."""
    if isinstance(node, ast.Compare):
        left, right = context.text(node.left), context.text(node.comparators[0])
        return "{} {} {}".format(left, OPPOSITES[type(node.ops[0])], right)
    return "not " + context.text(node) if isinstance(node, ast.expr) else ""
