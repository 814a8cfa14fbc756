"""Mutants by the classical operators, which are none of certo's: the judge of tests that it writes.

They exchange arithmetic, relational and logical operators, negate conditions, change constants, and leave statements
and returned values out (Offutt et al., "An experimental determination of sufficient mutant operators", 1996).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
RELATIONAL: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}


def classical_mutants(source: str, name: str) -> Iterator[str]:
    """Yield the source with one classical mutation of the function each time."""
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    for number, node in enumerate(ast.walk(function)):
        for choice in range(len(list(_changed(node)))):
            again = copy.deepcopy(tree)
            inner = next(one for one in again.body if isinstance(one, ast.FunctionDef) and one.name == name)
            target = list(ast.walk(inner))[number]
            list(_changed(target, choice))
            mutant = ast.unparse(ast.fix_missing_locations(again))
            if mutant != ast.unparse(tree):
                yield mutant


def _changed(node: ast.AST, choice: int | None = None) -> Iterator[None]:
    """Yield once for each change of a node; make the one of number `choice`."""
    number = -1
    for change in _changes(node):
        number += 1
        if number == choice:
            change()
        yield


def _changes(node: ast.AST) -> Iterator[object]:
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield lambda: setattr(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Compare):
        for place, one in enumerate(node.ops):
            for other in RELATIONAL[type(one)]:
                yield lambda place=place, other=other: node.ops.__setitem__(place, other())
    elif isinstance(node, ast.BoolOp):
        yield lambda: setattr(node, "op", ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield lambda: setattr(node, "op", ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not())
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    yield from _of_ends(node)
    yield from _without_statements(node)


def _of_ends(node: ast.AST) -> Iterator[object]:
    if isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield lambda: setattr(node, "value", ast.Constant(None))
    elif isinstance(node, ast.Break | ast.Continue):
        other = ast.Continue if isinstance(node, ast.Break) else ast.Break
        yield lambda: setattr(node, "__class__", other)


def _of_constant(node: ast.Constant) -> Iterator[object]:
    value = node.value
    if isinstance(value, bool):
        yield lambda: setattr(node, "value", not value)
    elif isinstance(value, int | float):
        yield lambda: setattr(node, "value", value + 1)
    elif isinstance(value, str):
        yield lambda: setattr(node, "value", value + "XX")


def _without_statements(node: ast.AST) -> Iterator[object]:
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        for place, statement in enumerate(block if isinstance(block, list) else []):
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr) and not is_text:
                yield lambda block=block, place=place: block.__setitem__(place, ast.Pass())
