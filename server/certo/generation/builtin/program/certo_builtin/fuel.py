"""Deterministic time: a candidate may take so many steps, whatever the clock says.

Every function entry, loop turn and comprehension turn of the code under trial calls `__certo_tick__`, a name kept in
`builtins` so that it is found from any module. When the steps are spent the tick raises, and goes on raising, so that
a candidate that swallows it gains nothing. Counting steps instead of seconds makes the same search find the same
answer on a slow machine and on a fast one.
"""

from __future__ import annotations

import ast
import builtins
from typing import List, Union

TICK = "__certo_tick__"


class OutOfFuel(BaseException):
    """The code under trial used up its steps; not an Exception, so that `except Exception` lets it pass."""


class Meter:
    """The steps that are left, and whether they ran out."""

    def __init__(self) -> None:
        self.granted = 0
        self.left = 0
        self.empty = False
        setattr(builtins, TICK, self.tick)

    def fill(self, steps: int) -> None:
        """Grant so many steps from now on."""
        self.granted = self.left = steps
        self.empty = False

    @property
    def used(self) -> int:
        """The steps used since the last fill."""
        return self.granted - max(0, self.left)

    def tick(self) -> bool:
        """Take one step; true, so that it can stand as a condition of a comprehension."""
        self.left -= 1
        if self.left < 0:
            self.empty = True
            raise OutOfFuel
        return True


def _call(at: ast.AST) -> ast.Call:
    tick = ast.Call(func=ast.Name(id=TICK, ctx=ast.Load()), args=[], keywords=[])
    for node in (tick, tick.func):
        ast.copy_location(node, at)
    return tick


class Instrument(ast.NodeTransformer):
    """Puts ticks into a syntax tree, in place."""

    def _body(self, node: Union[ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef]) -> ast.AST:
        self.generic_visit(node)
        # After a docstring, so that it stays one.
        first = node.body[0]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        node.body.insert(int(is_text), ast.copy_location(ast.Expr(_call(first)), first))
        return node

    # The names are those that ast.NodeVisitor looks for.
    visit_For = visit_AsyncFor = visit_While = _body  # noqa: N815 - the names ast.NodeTransformer calls
    visit_FunctionDef = visit_AsyncFunctionDef = _body  # noqa: N815 - the names ast.NodeTransformer calls

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Tick when a lambda is called: `lambda: tick() and body`."""
        self.generic_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.And(), [_call(node), node.body]), node.body)
        return node

    def _turns(self, node: Union[ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp]) -> ast.AST:
        self.generic_visit(node)
        for generator in node.generators:
            conditions: List[ast.expr] = [_call(node)]
            generator.ifs[:0] = conditions
        return node

    visit_ListComp = visit_SetComp = _turns  # noqa: N815 - the names ast.NodeTransformer calls
    visit_DictComp = visit_GeneratorExp = _turns  # noqa: N815 - the names ast.NodeTransformer calls
