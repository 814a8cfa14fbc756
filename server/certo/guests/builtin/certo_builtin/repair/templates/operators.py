"""Templates for wrong operators: comparisons, arithmetic, and/or, augmented assignments, swapped operands."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Type

from certo_builtin.repair.context import RepairContext, expression
from certo_builtin.repair.templates.template import Change, Template

COMPARISONS: Dict[Type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
INSTEAD_OF_COMPARISON: Dict[str, List[str]] = {
    "<": ["<=", ">", ">=", "!=", "=="], "<=": ["<", ">=", ">", "==", "!="],
    ">": [">=", "<", "<=", "!=", "=="], ">=": [">", "<=", "<", "==", "!="],
    "==": ["!=", "<=", ">=", "<", ">", "is", "in"], "!=": ["==", "<", ">", "<=", ">="],
    "is": ["is not", "=="], "is not": ["is", "!="], "in": ["not in", "=="], "not in": ["in", "!="],
}  # fmt: skip
ARITHMETIC: Dict[Type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip
INSTEAD_OF_ARITHMETIC: Dict[str, List[str]] = {
    "+": ["-", "*"], "-": ["+", "*", "//"], "*": ["+", "**", "/", "-", "//"], "/": ["//", "*", "%"],
    "//": ["/", "%", "*", "-"], "%": ["//", "/", "-"], "**": ["*"], "&": ["|", "^"], "|": ["&", "^"],
    "^": ["&", "|", "**"], "<<": [">>"], ">>": ["<<"], "@": ["*"],
}  # fmt: skip

OPPOSITES = ({"==", "!="}, {"<", ">"}, {"<=", ">="}, {"<", ">="}, {">", "<="}, {"in", "not in"}, {"is", "is not"})
"""Comparisons that are confused more often than others."""

SINGLES = (None, True, False, Ellipsis)


def _between(
    context: RepairContext, left: ast.expr, right: ast.expr, old: str, new: str, weight: float
) -> Iterator[Change]:
    """Yield another operator between two operands, keeping spaces and comments."""
    start, end = context.source.end(left), context.source.start(right)
    gap = context.source.text[start:end]
    at = gap.find(old)
    if at >= 0:
        yield Change(((start + at, start + at + len(old), new),), weight)


def strictness(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `<` for `<=` and the like, by far the most common error in comparisons."""
    yield from _compared(context, node, strict=True)


def comparisons(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `<` for `>`, `==` for `!=`, `in` for `not in` and the like."""
    yield from _compared(context, node, strict=False)


def _compared(context: RepairContext, node: ast.AST, strict: bool) -> Iterator[Change]:
    """Yield other comparisons: those that differ only in strictness, or all the others."""
    if isinstance(node, ast.Compare):
        left = node.left
        for operator, right in zip(node.ops, node.comparators):
            old = COMPARISONS[type(operator)]
            for new in INSTEAD_OF_COMPARISON[old]:
                if new == "is" and not _is_single(right):
                    continue
                if (old[0] in "<>" and new in (old + "=", old.rstrip("="))) is strict:
                    opposite = {old, new} in OPPOSITES
                    yield from _between(context, left, right, old, new, 2.0 if opposite else 1.0 if strict else 0.4)
            left = right


def _is_single(node: ast.expr) -> bool:
    """True if identity with a value makes sense: of a number or a text there may be several that are equal."""
    if isinstance(node, ast.Constant):
        return any(node.value is one for one in SINGLES)
    return isinstance(node, (ast.Name, ast.Attribute))


def arithmetic(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `+` for `-` and the like."""
    if isinstance(node, ast.BinOp):
        old = ARITHMETIC[type(node.op)]
        for new in INSTEAD_OF_ARITHMETIC[old]:
            yield from _between(context, node.left, node.right, old, new, 1.0)


def augmented(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `+=` for `-=`, `=` for `+=` and `+=` for `=`."""
    if isinstance(node, ast.AugAssign):
        old = ARITHMETIC[type(node.op)]
        for new in INSTEAD_OF_ARITHMETIC[old]:
            yield from _between(context, node.target, node.value, old + "=", new + "=", 1.0)
        yield from _between(context, node.target, node.value, old + "=", "=", 1.0)
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        for new in ("+=", "-="):
            yield from _between(context, node.targets[0], node.value, "=", new, 0.6)


def connectives(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of `and` and `or`."""
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        single: List[Change] = []
        for left, right in zip(node.values, node.values[1:]):
            single += _between(context, left, right, old, new, 0.3 if len(node.values) > 2 else 1.0)
        yield from single
        if len(single) > 1:
            # Someone who confuses the two does so throughout.
            yield Change(tuple(edit for change in single for edit in change.edits), 1.5)


def operands(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of the operands of a non-commutative operator."""
    if isinstance(node, ast.BinOp):
        yield Change(context.exchange(node.left, node.right))
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield Change(context.exchange(node.left, node.comparators[0]), 0.3)
    elif isinstance(node, ast.IfExp):
        yield Change(context.exchange(node.body, node.orelse), 0.4)


def grouping(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield another grouping of operands, as in `(a - b) * c` for `a - b * c`."""
    if not isinstance(node, ast.BinOp):
        return
    start, end = context.source.start(node), context.source.end(node)
    for near, ahead in ((node.right, True), (node.left, False)):
        operand = near
        while isinstance(operand, ast.BinOp):
            operand = operand.left if ahead else operand.right
        first, last = (start, context.source.end(operand)) if ahead else (context.source.start(operand), end)
        if isinstance(near, ast.BinOp) and not _same_sum(node, near) and expression(context.source.text[first:last]):
            yield Change(((first, first, "("), (last, last, ")")))


def _same_sum(node: ast.BinOp, operand: ast.BinOp) -> bool:
    """True if the order of two operations does not matter."""
    return type(node.op) is type(operand.op) and isinstance(node.op, (ast.Add, ast.Mult))


def signs(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield removals of a `not` or a minus."""
    if isinstance(node, ast.UnaryOp):
        # A negative index counts from the end and is seldom a slip.
        index = isinstance(node.operand, ast.Constant) and isinstance(context.parent(node), ast.Subscript)
        yield Change(context.replace(node, context.text(node.operand)), 0.3 if index else 1.0)


TEMPLATES = (
    Template("a comparison's strictness", 0.9, strictness),
    Template("another comparison", 0.7, comparisons),
    Template("another arithmetic operator", 0.6, arithmetic),
    Template("another assignment operator", 0.5, augmented),
    Template("and/or exchanged", 0.5, connectives),
    Template("operands exchanged", 0.5, operands),
    Template("other brackets", 0.4, grouping),
    Template("a sign dropped", 0.4, signs),
)
