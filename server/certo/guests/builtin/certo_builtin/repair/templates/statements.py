"""Wrong statements: one too many, one too few, in the wrong order, at the wrong depth, or lacking a guard."""

from __future__ import annotations

import ast
from heapq import nsmallest
from itertools import product
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.statement_pool import lines_made
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Edit

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
MIN_GUARD = 0.2
"""Guards whose condition and action are less likely than this together are not tried."""

MAX_GUARDS = 1000
"""The likeliest of them before one statement are enough."""


def statement_lines(scene: RepairContext, statement: ast.stmt) -> List[str]:
    """The lines of a statement, each with its line break."""
    return _lines(scene, statement).splitlines(True)


def _lines(scene: RepairContext, statement: ast.stmt) -> str:
    return scene.source.text[scene.line_start(statement) : scene.line_end(statement)]


def _span(scene: RepairContext, statement: ast.stmt, text: str) -> Tuple[Edit, ...]:
    return ((scene.line_start(statement), scene.line_end(statement), text),)


def deleted(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A statement that should not be there."""
    if not isinstance(node, ast.stmt) or isinstance(node, (*FUNCTIONS, ast.ClassDef)) or not scene.owns_lines(node):
        return
    if len(scene.siblings(node)) > 1:
        yield Change(_span(scene, node, ""))
    else:
        yield Change(scene.swap(node, "pass"))


def exchanged(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Two neighbours in the wrong order."""
    if not isinstance(node, ast.stmt):
        return
    block = scene.siblings(node)
    index = block.index(node) + 1 if node in block else len(block)
    if index < len(block) and scene.owns_lines(node) and scene.owns_lines(block[index]):
        other = block[index]
        if scene.line_end(other) <= len(scene.source.text) and _lines(scene, other).endswith(("\n", "\r")):
            yield Change(_span(scene, node, _lines(scene, other)) + _span(scene, other, _lines(scene, node)))


def moved_out(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """The last statement of a block that belongs after the block."""
    if not isinstance(node, ast.stmt) or not scene.owns_lines(node):
        return
    parent = scene.parent(node)
    block = scene.siblings(node)
    if isinstance(parent, (ast.If, ast.For, ast.While)) and node is block[-1] and len(block) > 1:
        inner, outer = scene.indentation(node), scene.indentation(parent)
        if inner.startswith(outer):
            lines = _lines(scene, node).splitlines(True)
            text = "".join(outer + line[len(inner) :] if line.startswith(inner) else line for line in lines)
            yield Change(_span(scene, node, text))


def moved_in(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A statement after a block that belongs into it."""
    if not isinstance(node, ast.stmt) or not scene.owns_lines(node):
        return
    block = scene.siblings(node)
    index = block.index(node) if node in block else 0
    if index and isinstance(block[index - 1], (ast.If, ast.For, ast.While)):
        lines = _lines(scene, node).splitlines(True)
        yield Change(_span(scene, node, "".join(scene.step() + line if line.strip() else line for line in lines)))


def turned(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """`while` for `if`, `break` for `continue`, and the other ways round."""
    if isinstance(node, (ast.If, ast.While)) and not node.orelse:
        start = scene.source.start(node)
        old, new = ("if", "while") if isinstance(node, ast.If) else ("while", "if")
        if scene.source.text.startswith(old, start):
            yield Change(((start, start + len(old), new),))
    elif isinstance(node, ast.Continue):
        yield Change(scene.swap(node, "break"))
    elif isinstance(node, ast.Break):
        yield Change(scene.swap(node, "continue"))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield Change(scene.swap(node, "yield " + scene.text(node.value)), 0.3)


def assigned(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A call that changes an object where the object should be bound anew."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or len(node.value.args) != 1:
        return
    call = node.value
    if isinstance(call.func, ast.Attribute):
        owner, argument = scene.text(call.func.value), scene.text(call.args[0])
        for shape in ("{0} = {1}", "{0} += {1}", "{0} = {2}", "{0} = [{1}]", "{0}.insert(0, {1})"):
            yield Change(scene.swap(node, shape.format(owner, argument, scene.text(call))))


def insertion(scene: RepairContext, statement: ast.stmt, lines: List[str], *, after: bool = False) -> Tuple[Edit, ...]:
    """Put lines before or after a statement, indented like it."""
    text = scene.source.text
    at = scene.line_end(statement) if after else scene.line_start(statement)
    indent, newline = scene.indentation(statement), scene.source.newline
    body = "".join(indent + line + newline for line in lines)
    if after and not text[:at].endswith(("\n", "\r")):
        body = newline + body[: -len(newline)]
    return ((at, at, body),)


def _places(scene: RepairContext, node: ast.AST) -> List[bool]:
    """Before a statement, and after it when it is the last of its block and does not leave it."""
    if not isinstance(node, ast.stmt) or not scene.owns_lines(node) or isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return []
    last = node is scene.siblings(node)[-1] and not isinstance(node, LEAVING)
    return [False, True] if last else [False]


def _renamed(scene: RepairContext, statement: ast.stmt, names: List[str]) -> Iterator[Tuple[str, float]]:
    text, start = scene.text(statement), scene.source.start(statement)
    for one in ast.walk(statement):
        if isinstance(one, ast.Name):
            at = scene.source.start(one) - start
            for name in names:
                if name != one.id:
                    weight = 0.25 * scene.alike(statement, one.id, name)
                    yield text[:at] + name + text[at + len(one.id) :], weight


def _written_elsewhere(scene: RepairContext, node: ast.stmt) -> Dict[str, float]:
    """The function's other statements, with one name changed at most, and how likely each is missing at a node."""
    found: Dict[str, float] = {}
    for one in scene.nearest(node.lineno, _simple(scene, node), lambda one: one.lineno):
        found[scene.text(one)] = 0.6
        for text, weight in _renamed(scene, one, scene.values(node)):
            found.setdefault(text, weight)
    return found


def _simple(scene: RepairContext, node: ast.stmt) -> List[ast.stmt]:
    """The function's other statements of one line that do something."""
    return [
        one
        for one in scene.within(scene.function_of(node))
        if isinstance(one, SIMPLE)
        and one is not node
        and one.lineno == one.end_lineno
        and not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]


def statements_like(scene: RepairContext, node: ast.stmt) -> List[Tuple[str, float]]:
    """Statements that might be missing at a node: like others of the function, or over the variables at hand."""
    found = _written_elsewhere(scene, node)
    for text, weight in lines_made(scene, node):
        found.setdefault(text, 0.5 * weight)
    return list(found.items())


def copied(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A statement that stands elsewhere in the function and is missing here, with one name changed at most."""
    places = _places(scene, node)
    if not places or not isinstance(node, ast.stmt):
        return
    found = _written_elsewhere(scene, node)
    for after in places:
        for text, weight in found.items():
            yield Change(insertion(scene, node, [text], after=after), weight)


def inserted(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A missing call or assignment over the variables at hand, by the kinds of their values."""
    if isinstance(node, ast.stmt):
        for after in _places(scene, node):
            for text, weight in lines_made(scene, node):
                yield Change(insertion(scene, node, [text], after=after), weight)


def guarded(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A missing base case or skipped turn: `if P: return R`, `continue` or `break`, likeliest at the start."""
    if not isinstance(node, ast.stmt) or not _places(scene, node):
        return
    function = scene.function_of(node)
    actions = [("return " + text, weight) for text, weight in results(scene, node)]
    if scene.in_loop(node):
        actions += [("continue", 2.0), ("break", 2.0)]
    first = isinstance(function, FUNCTIONS) and node in function.body[:2]
    at, indent, newline = scene.line_start(node), scene.indentation(node), scene.source.newline
    shape = indent + "if {}:" + newline + indent + scene.step() + "{}" + newline
    pairs = [
        (likely * weight, number, question, action)
        for number, ((question, likely), (action, weight)) in enumerate(product(predicates(scene, node), actions))
        if likely * weight >= MIN_GUARD
    ]
    for weight, _, question, action in nsmallest(MAX_GUARDS, pairs, key=lambda pair: (-pair[0], pair[1])):
        yield Change(((at, at, shape.format(question, action)),), weight * (1.5 if first else 1.0))


def wrapped(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """A statement that should only happen under a condition."""
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and scene.owns_lines(node):
        body = "".join(scene.step() + line for line in _lines(scene, node).splitlines(True))
        for question, weight in predicates(scene, node):
            line = "{}if {}:{}".format(scene.indentation(node), question, scene.source.newline)
            yield Change(_span(scene, node, line + body), weight)


TEMPLATES = (
    Template("a statement deleted", 0.3, deleted),
    Template("statements exchanged", 0.1, exchanged),
    Template("a statement moved out of its block", 0.2, moved_out),
    Template("a statement moved into a block", 0.2, moved_in),
    Template("another kind of statement", 0.2, turned),
    Template("a call turned into an assignment", 0.25, assigned),
    Template("a missing statement like another", 0.6, copied),
    Template("a missing call or assignment", 0.5, inserted),
    Template("a missing guard", 0.25, guarded),
    Template("a missing condition around a statement", 0.4, wrapped),
)
