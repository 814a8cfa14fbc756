"""Templates for wrong statements: one too many or too few, in the wrong order or depth, or without a guard."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from heapq import nsmallest
from itertools import product
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.handlers import failures
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.statement_pool import lines_made
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Edit

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
MIN_GUARD = 0.2
"""Minimum joint weight of a guard's condition and action."""

MAX_GUARDS = 1000
"""Maximum number of guards before one statement, the likeliest."""

ABOUT_ITS_NAMES = 4.0
"""Weight of a condition about what the statement uses, relative to one about anything else."""

WORD = re.compile(r"[A-Za-z_]\w*")


def statement_lines(context: RepairContext, statement: ast.stmt) -> List[str]:
    """Return the lines of a statement, each with its line break."""
    return _lines(context, statement).splitlines(True)


def _lines(context: RepairContext, statement: ast.stmt) -> str:
    return context.source.text[context.line_start(statement) : context.line_end(statement)]


def _span(context: RepairContext, statement: ast.stmt, text: str) -> Tuple[Edit, ...]:
    return ((context.line_start(statement), context.line_end(statement), text),)


def deleted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield removals of a statement."""
    if not isinstance(node, ast.stmt) or isinstance(node, (*FUNCTIONS, ast.ClassDef)) or not context.owns_lines(node):
        return
    if len(context.siblings(node)) > 1:
        yield Change(_span(context, node, ""))
    else:
        yield Change(context.swap(node, "pass"))


def exchanged(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of two adjacent statements."""
    if not isinstance(node, ast.stmt):
        return
    block = context.siblings(node)
    index = block.index(node) + 1 if node in block else len(block)
    if index < len(block) and context.owns_lines(node) and context.owns_lines(block[index]):
        other = block[index]
        if context.line_end(other) <= len(context.source.text) and _lines(context, other).endswith(("\n", "\r")):
            yield Change(_span(context, node, _lines(context, other)) + _span(context, other, _lines(context, node)))


def moved_out(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield moves of a block's last statement after the block."""
    if not isinstance(node, ast.stmt) or not context.owns_lines(node):
        return
    parent = context.parent(node)
    block = context.siblings(node)
    if isinstance(parent, (ast.If, ast.For, ast.While)) and node is block[-1] and len(block) > 1:
        inner, outer = context.indentation(node), context.indentation(parent)
        if inner.startswith(outer):
            lines = _lines(context, node).splitlines(True)
            text = "".join(outer + line[len(inner) :] if line.startswith(inner) else line for line in lines)
            yield Change(_span(context, node, text))


def moved_in(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield moves of a statement after a block into it."""
    if not isinstance(node, ast.stmt) or not context.owns_lines(node):
        return
    block = context.siblings(node)
    index = block.index(node) if node in block else 0
    if index and isinstance(block[index - 1], (ast.If, ast.For, ast.While)):
        lines = _lines(context, node).splitlines(True)
        yield Change(_span(context, node, "".join(context.step() + line if line.strip() else line for line in lines)))


def turned(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of `while` and `if`, and of `break` and `continue`."""
    if isinstance(node, (ast.If, ast.While)) and not node.orelse:
        start = context.source.start(node)
        old, new = ("if", "while") if isinstance(node, ast.If) else ("while", "if")
        if context.source.text.startswith(old, start):
            yield Change(((start, start + len(old), new),))
    elif isinstance(node, ast.Continue):
        yield Change(context.swap(node, "break"))
    elif isinstance(node, ast.Break):
        yield Change(context.swap(node, "continue"))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield Change(context.swap(node, "yield " + context.text(node.value)), 0.1)


def assigned(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield assignments in place of a call that changes an object."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or len(node.value.args) != 1:
        return
    call = node.value
    if isinstance(call.func, ast.Attribute):
        owner, argument = context.text(call.func.value), context.text(call.args[0])
        for shape in ("{0} = {1}", "{0} += {1}", "{0} = {2}", "{0} = [{1}]", "{0}.insert(0, {1})"):
            yield Change(context.swap(node, shape.format(owner, argument, context.text(call))))


def insertion(
    context: RepairContext, statement: ast.stmt, lines: List[str], *, after: bool = False
) -> Tuple[Edit, ...]:
    """Return the edits that put lines before or after a statement, with its indentation."""
    text = context.source.text
    at = context.line_end(statement) if after else context.line_start(statement)
    indent, newline = context.indentation(statement), context.source.newline
    body = "".join(indent + line + newline for line in lines)
    if after and not text[:at].endswith(("\n", "\r")):
        body = newline + body[: -len(newline)]
    return ((at, at, body),)


def insertions(
    context: RepairContext, statement: ast.stmt, texts: List[Tuple[str, float]], *, after: bool
) -> Iterator[Change]:
    """Yield the insertions of one line each, in place of a `pass`; of hundreds, all have the same place."""
    if isinstance(statement, ast.Pass):
        yield from (Change(context.swap(statement, text), weight) for text, weight in texts)
        return
    (at, _, shape) = insertion(context, statement, ["\0"], after=after)[0]
    before, _, behind = shape.partition("\0")
    for text, weight in texts:
        yield Change(((at, at, before + text + behind),), weight)


def insertion_places(context: RepairContext, node: ast.AST) -> List[bool]:
    """Return False for the place before a statement, and True for one after it if it ends its block without leaving."""
    if not isinstance(node, ast.stmt) or not context.owns_lines(node) or isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return []
    last = node is context.siblings(node)[-1] and not isinstance(node, (*LEAVING, ast.Pass))
    return [False, True] if last else [False]


@lru_cache(maxsize=512)
def _renamed(context: RepairContext, statement: ast.stmt, names: Tuple[str, ...]) -> List[Tuple[str, float]]:
    """Return the texts of a statement with one name changed, for which every place of the function asks."""
    found = []
    text, start = context.text(statement), context.source.start(statement)
    for one in ast.walk(statement):
        if isinstance(one, ast.Name):
            at = context.source.start(one) - start
            for name in names:
                if name != one.id:
                    weight = 0.25 * context.alike(statement, one.id, name)
                    found.append((text[:at] + name + text[at + len(one.id) :], weight))
    return found


def _written_elsewhere(context: RepairContext, node: ast.stmt) -> Dict[str, float]:
    """Return the function's other statements, with at most one name changed, by their weight at a node."""
    found: Dict[str, float] = {}
    names = tuple(context.values(node))
    for one in context.nearest(node.lineno, _simple(context, node), lambda one: one.lineno):
        found[context.text(one)] = 0.6
        for text, weight in _renamed(context, one, names):
            found.setdefault(text, weight)
    return found


def _simple(context: RepairContext, node: ast.stmt) -> List[ast.stmt]:
    """Return the function's other one-line statements with an effect."""
    return [
        one
        for one in context.within(context.function_of(node))
        if isinstance(one, SIMPLE)
        and one is not node
        and one.lineno == one.end_lineno
        and not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]


def statements_like(context: RepairContext, node: ast.stmt) -> List[Tuple[str, float]]:
    """Return statements that might be missing at a node: like others of the function, or made from the pool."""
    found = _written_elsewhere(context, node)
    for text, weight in lines_made(context, node):
        found.setdefault(text, 0.5 * weight)
    return list(found.items())


def copied(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield copies of the function's other statements, with at most one name changed."""
    places = insertion_places(context, node)
    if not places or not isinstance(node, ast.stmt):
        return
    found = _written_elsewhere(context, node)
    for after in places:
        yield from insertions(context, node, list(found.items()), after=after)


def inserted(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield calls or assignments over the visible variables, by the types of their values."""
    if isinstance(node, ast.stmt):
        for after in insertion_places(context, node):
            yield from insertions(context, node, list(lines_made(context, node)), after=after)


def guarded(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield guards: `if P: return R`, `continue` or `break`, likeliest at the start."""
    if not isinstance(node, ast.stmt) or not insertion_places(context, node):
        return
    function = context.function_of(node)
    actions = [("return " + text, weight) for text, weight in results(context, node)]
    if context.in_loop(node):
        actions += [("continue", 2.0), ("break", 2.0)]
    first = isinstance(function, FUNCTIONS) and node in function.body[:2]
    at, indent, newline = context.line_start(node), context.indentation(node), context.source.newline
    shape = indent + "if {}:" + newline + indent + context.step() + "{}" + newline
    pairs = [
        (likely * weight, number, question, action)
        for number, ((question, likely), (action, weight)) in enumerate(product(predicates(context, node), actions))
        if likely * weight >= MIN_GUARD
    ]
    for weight, _, question, action in nsmallest(MAX_GUARDS, pairs, key=lambda pair: (-pair[0], pair[1])):
        yield Change(((at, at, shape.format(question, action)),), weight * (1.5 if first else 1.0))


def refused(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield guards that raise what the failing checks expect, likeliest at the start and in words of the condition."""
    if not isinstance(node, ast.stmt) or not insertion_places(context, node):
        return
    actions = failures(context, node)
    if not actions:
        return
    first = 3.0 if node in context.target.body[:2] else 1.0
    for question, likely in predicates(context, node):
        words = set(WORD.findall(question)) - CONNECTIVES
        for action, weight in actions:
            related = not words.isdisjoint(WORD.findall(action))
            if not related and "(" in action and len(actions) > MAX_UNRELATED:
                continue
            agreeing, factor = _agreeing(question, action)
            told = (2.0 if related else 1.0) * factor
            lines = ["if {}:".format(question), context.step() + agreeing]
            yield Change(insertion(context, node, lines), likely * weight * told * first)


CONNECTIVES = frozenset({"not", "is", "in", "len"})
"""Words of conditions that say nothing about what is asked."""

MAX_UNRELATED = 8
"""Number of errors above which those whose words do not mention what is asked are left out: files have dozens."""

BOUND = re.compile(r"(<=?) (-?\d+)$")
STATED_BOUND = re.compile(
    r"(?<!no )(?<!not )(?<!not be )"
    r"(?:(>=|at least|no less than)|(?:must|should|has to|needs to) be (?:>|greater than|more than|above))"
    r" (-?\d+(?![\d.]*\d)|zero\b|one\b|two\b)",
    re.IGNORECASE,
)
ITS_BOUND, REWORDED, ANOTHER_BOUND = 3.0, 2.0, 0.3
"""Factors for a refusal below the bound that its message states, one below a bound put into it, and any other."""

NUMBER_WORDS = {"zero": "0", "one": "1", "two": "2"}


def _agreeing(question: str, action: str) -> Tuple[str, float]:
    """Return an error with the bound of the question in its words, and the factor for how far they agree with it."""
    asked, stated = BOUND.search(question), STATED_BOUND.search(action)
    if not asked or not stated:
        return action, 1.0
    operator, bound = asked.groups()
    # An error that wants at least 0 refuses `< 0`; one that wants more than 0 refuses `<= 0`.
    if operator != ("<" if stated.group(1) else "<="):
        return action, ANOTHER_BOUND
    if NUMBER_WORDS.get(stated.group(2).lower(), stated.group(2)) == bound:
        return action, ITS_BOUND
    return action[: stated.start(2)] + bound + action[stated.end(2) :], REWORDED


def left(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `break`, `continue` or a result at the end of a branch."""
    if not isinstance(node, ast.stmt) or not isinstance(context.parent(node), ast.If):
        return
    is_pass = isinstance(node, ast.Pass) and node is context.siblings(node)[-1]
    if is_pass or True in insertion_places(context, node):
        texts = [("break", 1.0), ("continue", 1.0)] if context.in_loop(node) else []
        texts += [("return " + text, 0.5 * weight) for text, weight in results(context, node)]
        yield from insertions(context, node, texts, after=True)


def wrapped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a condition around a statement."""
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and context.owns_lines(node):
        body = "".join(context.step() + line for line in _lines(context, node).splitlines(True))
        read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        for question, weight in predicates(context, node):
            line = "{}if {}:{}".format(context.indentation(node), question, context.source.newline)
            # A condition before a statement is mostly about a name that the statement reads.
            about = 1.0 if read.isdisjoint(WORD.findall(question)) else ABOUT_ITS_NAMES
            yield Change(_span(context, node, line + body), weight * about)


TEMPLATES = (
    Template("a statement deleted", 0.15, deleted),
    Template("statements exchanged", 0.1, exchanged),
    Template("a statement moved out of its block", 0.2, moved_out),
    Template("a statement moved into a block", 0.2, moved_in),
    Template("another kind of statement", 0.2, turned),
    Template("a call turned into an assignment", 0.25, assigned),
    Template("a missing statement like another", 0.6, copied),
    Template("a missing call or assignment", 0.5, inserted),
    Template("a missing guard", 0.25, guarded),
    Template("a missing refusal", 0.5, refused),
    Template("a branch not left", 0.3, left),
    Template("a missing condition around a statement", 0.4, wrapped),
)
