"""Missing branches: what should happen otherwise is not said, or happens in any case."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.statements import LEAVING, statement_lines, statements_like
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import Edit

MAX_LIKE = 60
"""Statements that are offered for one missing branch, at most."""


def _otherwise(scene: RepairContext, node: ast.If, lines: List[str]) -> Tuple[Edit, ...]:
    """Put an `else` after a branch."""
    at, text, newline = scene.line_end(node), scene.source.text, scene.source.newline
    indent = scene.indentation(node)
    body = indent + "else:" + newline + "".join(indent + scene.step() + line + newline for line in lines)
    if not text[:at].endswith(("\n", "\r")):
        body = newline + body[: -len(newline)]
    return ((at, at, body),)


def missing_else(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """An `if` without `else` that lacks one: something like a statement of the function, a result, or the next turn."""
    if not isinstance(node, ast.If) or node.orelse or not scene.owns_lines(node) or scene.indentation(node).strip():
        return
    found = statements_like(scene, node)
    found.sort(key=lambda entry: -entry[1])
    for text, weight in found[:MAX_LIKE]:
        yield Change(_otherwise(scene, node, [text]), weight)
    for text, weight in results(scene, node):
        yield Change(_otherwise(scene, node, ["return " + text]), 0.3 * weight)
    if scene.in_loop(node):
        for text in ("break", "continue"):
            yield Change(_otherwise(scene, node, [text]), 0.3)


def only_otherwise(scene: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Move the statements after an `if` into its `else`: they should only run where its condition does not hold."""
    if not isinstance(node, ast.stmt) or not scene.owns_lines(node):
        return
    block = scene.siblings(node)
    before = block[block.index(node) - 1] if node in block and block.index(node) else None
    if not isinstance(before, ast.If) or before.orelse or isinstance(before.body[-1], LEAVING):
        return
    lines = "".join(scene.step() + line if line.strip() else line for line in statement_lines(scene, node))
    text = scene.indentation(node) + "else:" + scene.source.newline + lines
    yield Change(((scene.line_start(node), scene.line_end(node), text),))


TEMPLATES = (
    Template("a missing else", 0.35, missing_else),
    Template("a statement that belongs into an else", 0.2, only_otherwise),
)
