"""Templates for wrong conditions: negated, with a clause too many or too few, or another condition altogether."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from itertools import combinations
from typing import Dict, Iterator, List, Sequence, Set, Tuple, Type

from certo_builtin.execution.unasked_values import is_module
from certo_builtin.repair.context import ATOMS, RepairContext
from certo_builtin.repair.templates.handlers import resolved
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import applied

PARTS = (ast.Name, ast.Attribute, ast.Subscript)
QUESTION = re.compile(r"_*(?:is|has|can)_?[a-z]")
"""Names of functions that answer yes or no."""

TRIVIAL = frozenset({"isinstance", "issubclass", "bool", "len", "hasattr"})
MAX_PARTS, MAX_QUESTIONS = 3, 12
"""Maximum number of parts of a condition that are asked about, and of functions that are asked."""

MAX_MARK = 2
"""Maximum length of a text of the failing checks that a part is compared with."""


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
    olds = {word: _operand(node, text, kind) for word, kind in (("and", ast.And), ("or", ast.Or))}
    nones = _questions_of_none(context, node)
    for new, weight in predicates(context, node):
        if new != text:
            for word, old in olds.items():
                yield Change(context.replace(node, "{} {} {}".format(old, word, new)), weight)
                guards = new in _guards(text, word) or new in nones
                yield Change(
                    context.replace(node, "{} {} {}".format(new, word, old)), weight * (4.0 if guards else 0.7)
                )


def _operand(node: ast.expr, text: str, kind: Type[ast.boolop]) -> str:
    """Return the text of a condition as an operand of `and` or `or`, without brackets if it is one already."""
    is_open = isinstance(node, (ast.IfExp, ast.Lambda)) or (isinstance(node, ast.BoolOp) and type(node.op) is not kind)
    return "({})".format(text) if is_open else text


def clause_about_part(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield additions of a clause about a part of a condition: what the module asks of such, or a literal of a test."""
    if not isinstance(node, ast.expr) or not context.is_condition(node) or isinstance(node, ast.BoolOp):
        return
    text = context.text(node)
    new = {**_own_flags(context), **dict(_about_parts(context, node))}
    for clause, weight in new.items():
        # In an `and` or `or` the clause may be one more of them, or an alternative to this one alone.
        within = isinstance(context.parent(node), ast.BoolOp)
        for word in ("or", "and"):
            for shape in ("{0} {1} {2}", "{2} {1} {0}"):
                joined = shape.format(text, word, clause)
                yield Change(context.swap(node, "({})".format(joined) if within else joined), weight)


def _about_parts(context: RepairContext, node: ast.expr) -> Iterator[Tuple[str, float]]:
    parts = [one for one in ast.walk(node) if isinstance(one, PARTS) and isinstance(one.ctx, ast.Load)]
    outer = [one for one in parts if not context.is_callee(one) and not _is_module(context, one)][:MAX_PARTS]
    for part in outer:
        text = context.text(part)
        for asked in _questions(context):
            if asked + "(" not in context.text(node):
                yield "{}({})".format(asked, text), 0.3
                yield "not {}({})".format(asked, text), 0.3
        if _is_text(context, part):
            for one in context.literals:
                if isinstance(one, str) and 0 < len(one) <= MAX_MARK:
                    yield "{} == {!r}".format(text, one), 0.5


def _is_text(context: RepairContext, node: ast.expr) -> bool:
    """True if a value was a text, or is asked or compared as one."""
    kinds = context.kinds(context.function_of(node), context.text(node))
    parent = context.parent(node)
    asked = isinstance(parent, ast.Attribute) and hasattr(str, parent.attr)
    beside = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
    return "str" in kinds or asked or any(isinstance(getattr(one, "value", None), str) for one in beside)


def _is_module(context: RepairContext, node: ast.expr) -> bool:
    return is_module(resolved(context, context.text(node)))


@lru_cache(maxsize=4)
def _questions(context: RepairContext) -> List[str]:
    """Return the functions of one argument that answer yes or no, by their use in the module or by their name."""
    found: Dict[str, None] = {}
    for node in context.within(context.source.tree):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and context.is_condition(node):
            text = context.text(node.func)
            if resolved(context, text) is not None:
                found[text] = None
    found.update((name, None) for name, value in context.scope.items() if callable(value) and QUESTION.match(name))
    files = ("os.path.exists", "os.path.isfile", "os.path.isdir")
    found.update((name, None) for name in files if resolved(context, name) is not None)
    return [name for name in found if name not in TRIVIAL][:MAX_QUESTIONS]


@lru_cache(maxsize=4)
def _own_flags(context: RepairContext) -> Dict[str, float]:
    """Return what the methods of the class ask of the object itself, as written and turned round."""
    found: Dict[str, float] = {}
    parent = context.parent(context.target)
    for node in context.within(parent) if isinstance(parent, ast.ClassDef) else ():
        is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        if isinstance(node, ast.Attribute) and is_own and context.is_condition(node):
            found[context.text(node)] = found["not " + context.text(node)] = 0.3
    return found


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
    Template("a missing clause about a part", 0.3, clause_about_part),
    Template("a missing clause like another", 0.3, clause_like_another),
    Template("another condition", 0.4, another_question),
    Template("a missing filter", 0.3, filter_added),
)
