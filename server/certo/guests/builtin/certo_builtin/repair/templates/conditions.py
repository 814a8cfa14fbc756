"""Templates for wrong conditions: negated, with a clause too many or too few, or another condition altogether."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from typing import Dict, Iterator, Sequence, Set

from certo_builtin.repair.context import ATOMS, RepairContext
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import applied


def negated(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield the negation."""
    if isinstance(node, ast.expr) and context.is_condition(node) and not isinstance(node, ast.UnaryOp):
        text = context.text(node)
        yield Change(context.replace(node, "not " + text if isinstance(node, ATOMS) else "not ({})".format(text)))


def clause_dropped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield removals of a clause of `and` or `or`, or of a filter of a comprehension."""
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        for index in range(len(node.values)):
            rest = [context.text(value) for number, value in enumerate(node.values) if number != index]
            yield Change(context.replace(node, word.join(rest)))
    elif isinstance(node, ast.comprehension):
        before = context.source.end(node.iter)
        for condition in node.ifs:
            yield Change(((before, context.source.end(condition), ""),))
            before = context.source.end(condition)


def clause_added(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield additions of a clause before or after the others."""
    if not isinstance(node, ast.expr) or not context.is_condition(node) or isinstance(context.parent(node), ast.BoolOp):
        return
    text = context.text(node)
    old = "({})".format(text) if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda)) else text
    nones = _questions_of_none(context, node)
    for new, weight in predicates(context, node):
        if new != text:
            for word in ("and", "or"):
                yield Change(context.replace(node, "{} {} {}".format(old, word, new)), weight)
                guards = new in _guards(text, word) or new in nones
                yield Change(
                    context.replace(node, "{} {} {}".format(new, word, old)), weight * (4.0 if guards else 0.7)
                )


def _guards(text: str, word: str) -> Sequence[str]:
    """Return guard clauses for values that may be None, as in the null checks of PAR (2013)."""
    owners = re.findall(r"(?<![\w.])([A-Za-z_]\w*)[.\[]", text)
    return [owner + (" is None" if word == "or" else " is not None") for owner in owners]


def _questions_of_none(context: RepairContext, node: ast.expr) -> Set[str]:
    """Return the questions that keep the names of a condition, which were None at times, from being used then."""
    function = context.function_of(node)
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    empty = {name for name in names if "NoneType" in context.kinds(function, name)}
    return {shape.format(name) for name in empty for shape in ("{}", "{} is not None")}


def clause_like_another(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield additions of a clause like an existing one, with two names exchanged or one changed."""
    if not isinstance(node, (ast.Compare, ast.Call)) or not context.is_condition(node):
        return
    text = context.text(node)
    loads = [one for one in ast.walk(node) if isinstance(one, ast.Name) and not context.is_callee(one)]
    names = list(dict.fromkeys(one.id for one in loads))
    turned: Dict[str, float] = {}
    for one, other in combinations(names, 2):
        turned[_renamed(context, node, loads, {one: other, other: one})] = 1.0
    for place in loads:
        for name in context.values(node):
            turned.setdefault(_renamed(context, node, [place], {place.id: name}), context.alike(node, place.id, name))
    turned.pop(text, None)
    for new, weight in turned.items():
        for word in ("or", "and"):
            yield Change(context.swap(node, "({} {} {})".format(text, word, new)), weight)


def _renamed(context: RepairContext, node: ast.expr, places: Sequence[ast.Name], names: Dict[str, str]) -> str:
    start = context.source.start(node)
    edits = [(context.source.start(one), context.source.end(one), names[one.id]) for one in places if one.id in names]
    return applied(context.text(node), edits, start)


def another_question(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield replacements by another condition."""
    if isinstance(node, ast.expr) and context.is_condition(node):
        text = context.text(node)
        for new, weight in predicates(context, node):
            if new != text:
                yield Change(context.replace(node, new), weight)


def filter_added(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield filters for a comprehension."""
    if isinstance(node, ast.comprehension) and not node.ifs:
        bound = {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
        end = context.source.end(node.iter)
        parent = context.parent(node)
        element = parent.key if isinstance(parent, ast.DictComp) else getattr(parent, "elt", node.iter)
        for new, weight in predicates(context, element):
            asked = {name.id for name in ast.walk(ast.parse(new, mode="eval")) if isinstance(name, ast.Name)}
            if asked & bound:
                yield Change(((end, end, " if " + new),), weight)


TEMPLATES = (
    Template("a condition negated", 0.35, negated),
    Template("a clause dropped", 0.35, clause_dropped),
    Template("a missing clause", 0.5, clause_added),
    Template("a missing clause like another", 0.3, clause_like_another),
    Template("another condition", 0.4, another_question),
    Template("a missing filter", 0.3, filter_added),
)
