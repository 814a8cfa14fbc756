"""Templates for wrong calls: arguments exchanged, dropped or unwrapped; a call too many or one missing."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import Iterator, List, Optional

from certo_builtin.repair.context import COLLECTIONS, NUMBERS, RepairContext
from certo_builtin.repair.templates.template import Change, Template

LOAD = ast.Load()
GIVEN = (
    ("0", 0.5),
    ("1", 0.6),
    ("-1", 0.4),
    ("2", 0.5),
    ("10", 0.3),
    ("''", 0.4),
    ("' '", 0.4),
    ("','", 0.3),
    ("None", 0.2),
)
"""Constants that are often passed."""

MAX_ARGUMENTS = 2
"""Maximum number of arguments of a call that may lack one."""

MAX_EXCHANGED = 6
"""Maximum number of elements of a display that are exchanged with one another."""


def _positional(node: ast.Call) -> List[ast.expr]:
    return [] if any(isinstance(one, ast.Starred) for one in node.args) else node.args


def exchanged(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of two arguments, elements or indices."""
    if isinstance(node, ast.Call):
        for one, other in combinations(_positional(node), 2):
            yield Change(context.exchange(one, other))
    elif isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) <= MAX_EXCHANGED:
        for one, other in combinations(node.elts, 2):
            yield Change(context.exchange(one, other), 0.7)


def dropped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield removals of an argument or element."""
    parts: List[ast.expr] = []
    if isinstance(node, ast.Call):
        parts = _positional(node)
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)) and isinstance(getattr(node, "ctx", LOAD), ast.Load):
        # A pair is two things that belong together; of three, one may be too many.
        parts = node.elts if len(node.elts) >= 3 else []
    if len(parts) >= 2:
        for index, one in enumerate(parts):
            if index:
                yield Change(((context.source.end(parts[index - 1]), context.source.end(one), ""),))
            else:
                yield Change(((context.source.start(one), context.source.start(parts[1]), ""),))


def missing_argument(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield additions of an argument: a variable or a common constant, at the end or the beginning."""
    if not isinstance(node, ast.Call) or len(node.args) > MAX_ARGUMENTS or _positional(node) != node.args:
        return
    names = [(name, 1.0) for name in context.values(node)]
    given = [(repr(one), 0.3) for one in context.literals if isinstance(one, (int, str))]
    written = [(text, 0.5) for text, one, size in context.ingredients(node) if isinstance(one, ast.Constant)]
    for text, weight in dict([*GIVEN, *given, *written, *names]).items():
        if node.args:
            start, end = context.source.start(node.args[0]), context.source.end(node.args[-1])
            yield Change(((end, end, ", " + text),), weight)
            yield Change(((start, start, text + ", "),), 0.6 * weight)
        elif not node.keywords:
            end = context.source.end(node) - 1
            yield Change(((end, end, text),), weight)


def unwrapped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield replacements of an operation by one of its parts."""
    inner: List[ast.expr] = []
    if isinstance(node, ast.Call):
        inner = _positional(node) + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    elif isinstance(node, ast.BinOp):
        inner = [node.left, node.right]
        yield from _operand_dropped(context, node)
    elif isinstance(node, ast.IfExp):
        inner = [node.body, node.orelse]
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Load):
        inner = [] if context.is_callee(node) else [node.value]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        inner = [node.generators[0].iter]
    # Who writes `a.b` seldom means `a`.
    weight = 0.3 if isinstance(node, (ast.Attribute, ast.Subscript)) else 1.0
    for part in inner:
        if isinstance(node, ast.expr):
            yield Change(context.replace(node, context.text(part)), weight)


def _operand_dropped(context: RepairContext, node: ast.BinOp) -> Iterator[Change]:
    """Yield removals of the middle one of three operands: `a + b * c` to `a + c`."""
    if isinstance(node.left, ast.BinOp):
        yield Change(((context.source.start(node.left.right), context.source.start(node.right), ""),), 0.5)
    if isinstance(node.right, ast.BinOp):
        yield Change(((context.source.start(node.right.left), context.source.start(node.right.right), ""),), 0.5)


def wrapped(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield calls around a value."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.ListComp, ast.BinOp)):
        return
    parent = context.parent(node)
    owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
    if context.is_callee(node) or owner or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return
    text = context.text(node)
    shapes = ["abs({})", "int({})", "str({})", "float({})", "round({})"]
    collections = ["len({})", "sorted({})", "set({})", "list({})", "tuple({})", "max({})", "min({})"]
    collections += ["sum({})", "reversed({})"]
    if isinstance(node, ast.Name) and not context.may_be(node, node.id, COLLECTIONS):
        collections = ["[{}]"]
    if isinstance(node, ast.Name) and not context.may_be(node, node.id, NUMBERS):
        shapes = ["str({})"]
    # A type that only failing checks give is best made one that the others give.
    telling = context.telling_kinds(context.function_of(node), text)
    usual = context.kinds(context.function_of(node), text) - telling if telling else frozenset()
    difference = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
    for shape in shapes + collections:
        # A difference is mostly wrong in that it should be a distance.
        weight = 4.0 if (difference and shape == "abs({})") or shape[:-4] in usual else 1.0
        yield Change(context.replace(node, shape.format(text)), weight)


METHODS = {
    "str": ("lower", "upper", "strip", "split", "title", "swapcase", "splitlines", "encode"),
    "dict": ("items", "values", "keys", "copy"),
    "list": ("copy",),
    "set": ("copy",),
}
"""Methods without arguments that may be missing after a value."""


TEXT_METHODS = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "read", "join", "format", "title", "replace"})
"""Methods that give a text."""

MAX_MARK, MAX_MARKS = 2, 6
"""Maximum length of a text of the failing checks that may have to be taken off, and number of such texts."""


def method_added(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield method calls on a value, by the types it had or, of a text, by what is done with it."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) or context.is_callee(node):
        return
    parent, text = context.parent(node), context.text(node)
    owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
    if not isinstance(getattr(node, "ctx", LOAD), ast.Load) or (owner and not isinstance(node, ast.Name)):
        return
    kinds = set(context.kinds(context.function_of(node), text))
    beside = _compared_text(node, parent)
    is_made_text = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TEXT_METHODS
    )
    kinds |= {"str"} if beside is not None or is_made_text else set()
    for method in dict.fromkeys(method for kind in sorted(kinds) for method in METHODS.get(kind, ())):
        # Who compares with a word in capitals means the word, whatever its case.
        weight = 4.0 if beside and {"upper": beside.isupper, "lower": beside.islower}.get(method, bool)() else 1.0
        yield Change(context.replace(node, "{}.{}()".format(text, method)), weight)
    if "str" in kinds and not owner:
        for mark in _marks(context):
            for shape in ("{}.strip({!r})", "{}.replace({!r}, '')", "{}.removeprefix({!r})", "{}.lstrip({!r})"):
                yield Change(context.replace(node, shape.format(text, mark)), 0.3)


def _marks(context: RepairContext) -> List[str]:
    """Return the short texts of the failing checks without letters, and what their other texts begin and end with."""
    texts = [one for one in context.literals if isinstance(one, str) and one]
    whole = [one for one in texts if len(one) <= MAX_MARK]
    ends = [end for one in texts for end in (one[0], one[-1])]
    return [one for one in dict.fromkeys([*whole, *ends]) if not one.isalnum()][:MAX_MARKS]


def _compared_text(node: ast.expr, parent: ast.AST) -> Optional[str]:
    """Return the text that a node is compared with; None if it is compared with none."""
    others = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
    values = [one.value for one in others if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return values[0] if values and node in others else None


def bounded(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield bounds of a number: `max(0, x)`, or `best = max(best, x)` if the best so far is forgotten."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        target, value = context.text(node.targets[0]), context.text(node.value)
        if isinstance(node.value, ast.Constant) and not _is_number(node.value.value):
            return
        for call in ("max", "min"):
            yield Change(context.swap(node.value, "{}({}, {})".format(call, target, value)), 1.3)
            yield Change(context.swap(node.value, "{}(0, {})".format(call, value)))
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Tuple):
        for name in ["0", *context.values(node)]:
            if name == "0" or context.may_be(node, name, NUMBERS):
                for call in ("max", "min"):
                    yield Change(
                        context.swap(node.value, "{}({}, {})".format(call, name, context.text(node.value))), 0.5
                    )


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def bounds(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield ranges that start at one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        if len(node.args) == 1:
            start, end = context.source.start(node.args[0]), context.source.end(node.args[0])
            yield Change(((start, start, "1, "),))
            yield Change(((start, start, "1, "), (end, end, " + 1")))
        elif len(node.args) == 2:
            yield Change(((context.source.start(node.args[0]), context.source.start(node.args[1]), ""),))


def delegation(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of `yield`, `yield from` and `return`."""
    if isinstance(node, (ast.Yield, ast.YieldFrom)) and node.value is not None:
        value = context.text(node.value)
        for word in ("yield", "yield from"):
            if not context.text(node).startswith(word + " " + value):
                yield Change(context.swap(node, "{} {}".format(word, value)))
        for inner in _arguments(node.value):
            yield Change(context.swap(node, "yield {}".format(context.text(inner))))


def _arguments(node: ast.expr) -> List[ast.expr]:
    return _positional(node) if isinstance(node, ast.Call) else []


TEMPLATES = (
    Template("arguments exchanged", 0.7, exchanged),
    Template("an argument dropped", 0.3, dropped),
    Template("a missing argument", 0.3, missing_argument),
    Template("an operation dropped", 0.5, unwrapped),
    Template("a missing call", 0.3, wrapped),
    Template("a missing method", 0.25, method_added),
    Template("a missing bound", 0.4, bounded),
    Template("another range", 0.3, bounds),
    Template("another way to yield", 0.3, delegation),
)
