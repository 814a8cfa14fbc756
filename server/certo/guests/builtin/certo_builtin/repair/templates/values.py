"""Templates for wrong values: constants, off-by-one expressions, and missing terms."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Tuple

from certo_builtin.repair.context import COMPREHENSIONS, NUMBERS, SEQUENCES, RepairContext
from certo_builtin.repair.templates.template import Change, Template

NO_NUMBER = (
    ast.Constant, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.Compare, ast.BoolOp, ast.Lambda, ast.Yield, ast.YieldFrom,
    ast.Await, ast.JoinedStr, ast.Starred, *COMPREHENSIONS,
)  # fmt: skip


MAX_LETTERS = 12
"""Maximum length of a text whose letters are removed one by one, and number of letters offered from the checks' texts.
"""

PUNCTUATION = (",", ".", "-", "_", "\n", ":", ";", "/", "|")
PAIRED = {"(": ")", "[": "]", "{": "}", "<": ">", "+": "-", "*": "/", "'": '"'}
PAIRED.update({other: one for one, other in PAIRED.items()})
"""Texts of one character and their opposites."""


COUNTED = NUMBERS - {"bool"}


def _is_read(context: RepairContext, node: ast.AST) -> bool:
    """True if a node is a value that is read: no target, callee, or owner of an attribute."""
    if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return False
    parent = context.parent(node)
    owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
    return not owner and not context.is_callee(node) and not isinstance(node, (ast.Slice, ast.Starred))


def _numbers(context: RepairContext, value: int) -> Iterator[Tuple[str, float]]:
    """Yield numbers that are confused with one another: neighbours, the smallest ones, another order of magnitude."""
    near = [(value + 1, 1.0), (value - 1, 1.0), (0, 1.0), (1, 1.0), (2, 0.7), (-value if value else -1, 0.8)]
    near += [(value + 2, 0.5), (value - 2, 0.5), (value * 2, 0.3), (value // 2, 0.3)]
    near += [(value * 10, 0.2), (value // 10, 0.2)] if abs(value) >= 10 else []
    near += [(one, 0.3) for one in context.literals if type(one) is int]
    yield from ((repr(one), weight) for one, weight in near if one != value)


def _strings(context: RepairContext, node: ast.Constant) -> Iterator[Tuple[str, float]]:
    """Yield texts that are confused with one another: empty, a blank, in other case, with a letter more or less."""
    value = node.value if isinstance(node.value, str) else ""
    near = [("", 1.0), (" ", 0.8), (value.strip(), 1.0), (value.lower(), 0.8), (value.upper(), 0.8)]
    if 1 < len(value) <= MAX_LETTERS:
        near += [(value[:at] + value[at + 1 :], 0.6) for at in range(len(value))]
    near += [(one, 0.4) for one in context.literals if isinstance(one, str)]
    if len(value) == 1:
        letters = sorted({letter for one in context.literals if isinstance(one, str) for letter in one})
        near += [(one, 0.4) for one in letters[:MAX_LETTERS] if one.isalnum() == value.isalnum()]
    near += [(one, 0.3) for one in PUNCTUATION if len(value) == 1 and not value.isalnum()]
    near += [(PAIRED[value], 1.0)] if value in PAIRED else []
    yield from ((repr(one), weight) for one, weight in near if one != value)
    yield from ((text, 0.8) for text, one, _ in context.ingredients(node) if _is_text(one))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def constants(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other constants of the same type."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    others: List[Tuple[str, float]] = []
    if isinstance(value, bool):
        others = [(repr(not value), 0.5)]
    elif isinstance(value, int):
        others = list(_numbers(context, value))
    elif isinstance(value, float):
        near = (value + 1, value - 1, 0.0, 1.0, -value, value / 2, value * 2)
        others = [(repr(one), 1.0) for one in near if one != value]
    elif isinstance(value, str):
        others = list(_strings(context, node))
    elif value is None:
        others = [(text, 1.0) for text in ("False", "True", "0", "''", "[]")]
    seen = {context.text(node)}
    for other, weight in others:
        if other not in seen:
            seen.add(other)
            yield Change(context.replace(node, other), weight)


def displays(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield an empty list or tuple for one with elements, or the other way round."""
    if isinstance(node, ast.List) and not isinstance(node.ctx, ast.Store):
        if not node.elts:
            for inner in ["[]", "0", "1", *context.values(node)]:
                yield Change(context.replace(node, "[{}]".format(inner)))
            yield Change(context.replace(node, "None"), 0.6)
            yield Change(context.replace(node, "{}"), 0.4)
        elif len(node.elts) == 1:
            yield Change(context.replace(node, "[]"))


def off_by_one(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield one more or one less, most likely in an index, a bound, an argument, an operand or a result."""
    if not isinstance(node, ast.expr) or isinstance(node, NO_NUMBER) or not _is_read(context, node):
        return
    if context.is_condition(node) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return
    if isinstance(node, (ast.Name, ast.Attribute)) and not context.may_be(node, context.text(node), COUNTED):
        return
    parent = context.parent(node)
    likely = isinstance(parent, (ast.Slice, ast.Subscript, ast.Call, ast.Return, ast.BinOp, ast.Tuple))
    # In a comparison, another strictness says the same, and better.
    weight = 1.0 if likely else 0.4 if isinstance(parent, ast.Compare) else 0.6
    if context.text(node).rpartition(".")[2].isupper():
        # A constant with a name is what its name says.
        weight *= 0.2
    for step in ("{} + 1", "{} - 1"):
        yield Change(context.replace(node, step.format(_term(context, node))), weight)


def _term(context: RepairContext, node: ast.expr) -> str:
    """Return a node's text, in parentheses if a `+` after it would bind more tightly."""
    text = context.text(node)
    tight = isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    sums = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod))
    return text if tight or sums else "({})".format(text)


def _terms(context: RepairContext, node: ast.expr, text: str) -> Iterator[Tuple[str, float]]:
    for name in context.values(node):
        if context.may_be(node, name, NUMBERS) and name != text:
            for shape, weight in (
                ("{0} - {1}", 1.0), ("{0} + {1}", 1.0), ("{0} * {1}", 0.6), ("{1} - {0}", 0.4), ("{0} % {1}", 0.4),
                ("{0} // {1}", 0.3),
            ):  # fmt: skip
                yield shape.format(text, name), weight
    for shape, weight in (("{} * 2", 0.5), ("{} // 2", 0.5), ("{} ** 2", 0.5), ("-{}", 0.4), ("{} % 2", 0.3)):
        yield shape.format(text), weight


def missing_term(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a number combined with another number in scope."""
    if not isinstance(node, (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.BinOp)) or not _is_read(
        context, node
    ):
        return
    if isinstance(node, (ast.Name, ast.Attribute)) and not context.may_be(node, context.text(node), NUMBERS):
        return
    text = context.text(node) if not isinstance(node, ast.BinOp) else "({})".format(context.text(node))
    for term, weight in _terms(context, node, text):
        yield Change(context.replace(node, term), weight)


def missing_part(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a sequence sliced, or joined with another sequence."""
    if not isinstance(node, (ast.Name, ast.ListComp, ast.Call, ast.List, ast.Attribute)) or not _is_read(context, node):
        return
    if isinstance(node, ast.Name) and not context.may_be(node, node.id, SEQUENCES):
        return
    text = context.text(node)
    if not isinstance(node, (ast.ListComp, ast.List)):
        bounds = [name for name in context.values(node) if context.may_be(node, name, frozenset({"int"}))]
        for bound in ["1", *bounds]:
            yield Change(context.replace(node, "{}[{}:]".format(text, bound)))
            yield Change(context.replace(node, "{}[:{}]".format(text, bound)))
        yield Change(context.replace(node, text + "[:-1]"))
        yield Change(context.replace(node, text + "[::-1]"))
    for name in context.values(node):
        if name != text and context.may_be(node, name, SEQUENCES):
            yield Change(context.replace(node, "{} + {}".format(name, text)))
            yield Change(context.replace(node, "{} + {}".format(text, name)))


def slices(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield slices with another start, end or step."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice) or node.slice.step is not None:
        return
    value = context.text(node.value)
    low = context.text(node.slice.lower) if node.slice.lower else ""
    high = context.text(node.slice.upper) if node.slice.upper else ""
    shapes = {(high, low), (low, "-1"), ("1", high), ("", high), (low, ""), (low, high + ":-1")} - {(low, high)}
    for start, stop in sorted(shapes):
        yield Change(context.swap(node, "{}[{}:{}]".format(value, start, stop)))


def missing_blank(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a blank between two texts that are written one after the other without any."""
    if isinstance(node, (ast.Constant, ast.JoinedStr)) and not isinstance(context.parent(node), ast.JoinedStr):
        start, text = context.source.start(node), context.text(node)
        for found in JOINT.finditer(text):
            at = start + found.start("quote")
            yield Change(((at, at, " "),))


JOINT = re.compile(r"(?<=[^\s\\'\"])(?P<quote>['\"])\s+[rbfuRBFU]{0,2}(?P=quote)(?=[^\s'\"])")
"""Where one text ends and the next begins, with nothing between their words."""

TEMPLATES = (
    Template("another constant", 0.7, constants),
    Template("another literal", 0.4, displays),
    Template("off by one", 0.8, off_by_one),
    Template("a missing term", 0.35, missing_term),
    Template("a missing part of a sequence", 0.3, missing_part),
    Template("another slice", 0.35, slices),
    Template("a missing blank between texts", 0.4, missing_blank),
)
