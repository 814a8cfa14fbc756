"""Predicates over visible variables: the pool for guards and conditions."""

from __future__ import annotations

import ast
from heapq import nsmallest
from itertools import permutations
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import COLLECTIONS, NUMBERS, SEQUENCES, RepairContext

Predicate = Tuple[str, float]
"""The text of a condition and its weight."""

MAX_CONDITIONS_PER_NAME = 2
"""Maximum number of conditions at a place per nearby item."""

MAX_NUMBERS = 8
"""Maximum number of variables that are compared with one another."""


def predicates(context: RepairContext, node: ast.AST) -> List[Predicate]:
    """Return conditions over the variables visible at a node, each once."""
    found = [*_of_one(context, node), *_of_two(context, node), *_written(context, node)]
    best: Dict[str, float] = {}
    for text, weight in found:
        best[text] = max(weight, best.get(text, 0.0))
    most = MAX_CONDITIONS_PER_NAME * context.near
    return list(best.items()) if len(best) <= most else nsmallest(most, best.items(), key=lambda one: -one[1])


def _of_one(context: RepairContext, node: ast.AST) -> Iterator[Predicate]:
    for name in context.values(node):
        yield "not {}".format(name), 1.0
        yield name, 0.6
        if context.is_object(node, name):
            yield "{} is None".format(name), 0.8
            yield "{} is not None".format(name), 0.5
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
