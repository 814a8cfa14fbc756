"""Template for leftovers of a loop: a group is stored when the next begins, so the last is never stored."""

from __future__ import annotations

import ast
from typing import Iterator, List, Union

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.statements import insertion
from certo_builtin.repair.templates.template import Change, Template


def left_over(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield copies, after the loop, of the statement that stores a group, if something is left over."""
    if not isinstance(node, (ast.For, ast.While)) or not context.owns_lines(node):
        return
    for statement in ast.walk(node):
        if isinstance(statement, ast.Expr) and statement.lineno == statement.end_lineno:
            for name in _passed_on(node, statement.value):
                lines = ["if {}:".format(name), context.step() + context.text(statement)]
                yield Change(insertion(context, node, lines, after=True))


def _passed_on(loop: Union[ast.For, ast.While], value: ast.expr) -> List[str]:
    """Return the variables that are stored or yielded and set by the loop, except its targets."""
    given = value.args if isinstance(value, ast.Call) else [value] if isinstance(value, ast.Yield) else []
    through = [loop.target] if isinstance(loop, ast.For) else []
    kept = {one.id for one in _names(loop) if isinstance(one.ctx, ast.Store)} - {one.id for one in _names(*through)}
    return [name for name in dict.fromkeys(one.id for one in _names(*given)) if name in kept]


def _names(*nodes: ast.AST) -> List[ast.Name]:
    return [one for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)]


TEMPLATES = (Template("what a loop leaves over", 0.3, left_over),)
