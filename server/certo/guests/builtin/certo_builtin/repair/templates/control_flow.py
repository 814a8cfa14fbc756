"""Templates for missing branches: an `else` is missing, or its statements run in any case."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.statements import LEAVING, statement_lines, statements_like
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import Edit

MAX_LIKE = 60
"""Maximum number of statements offered for one missing branch."""


def _otherwise(context: RepairContext, node: ast.If, lines: List[str]) -> Tuple[Edit, ...]:
    """Return the edits that add an `else` to a branch."""
    at, text, newline = context.line_end(node), context.source.text, context.source.newline
    indent = context.indentation(node)
    body = indent + "else:" + newline + "".join(indent + context.step() + line + newline for line in lines)
    if not text[:at].endswith(("\n", "\r")):
        body = newline + body[: -len(newline)]
    return ((at, at, body),)


def missing_else(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `else` branches: a statement like others of the function, a result, `continue` or the like."""
    if not isinstance(node, ast.If) or node.orelse or not context.owns_lines(node) or context.indentation(node).strip():
        return
    found = statements_like(context, node)
    found.sort(key=lambda entry: -entry[1])
    for text, weight in found[:MAX_LIKE]:
        yield Change(_otherwise(context, node, [text]), weight)
    for text, weight in results(context, node):
        yield Change(_otherwise(context, node, ["return " + text]), 0.3 * weight)
    if context.in_loop(node):
        for text in ("break", "continue"):
            yield Change(_otherwise(context, node, [text]), 0.3)


def only_otherwise(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield moves of the statements after an `if` into its `else`."""
    if not isinstance(node, ast.stmt) or not context.owns_lines(node):
        return
    block = context.siblings(node)
    before = block[block.index(node) - 1] if node in block and block.index(node) else None
    if not isinstance(before, ast.If) or before.orelse or isinstance(before.body[-1], LEAVING):
        return
    lines = "".join(context.step() + line if line.strip() else line for line in statement_lines(context, node))
    text = context.indentation(node) + "else:" + context.source.newline + lines
    yield Change(((context.line_start(node), context.line_end(node), text),))


TEMPLATES = (
    Template("a missing else", 0.35, missing_else),
    Template("a statement that belongs into an else", 0.2, only_otherwise),
)
