"""Templates for missing branches: an `else` is missing, or its statements run in any case."""

from __future__ import annotations

import ast
import re
from heapq import nsmallest
from typing import Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.returns import results
from certo_builtin.repair.templates.statements import LEAVING, statement_lines, statements_like
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Edit

MAX_LIKE = 60
"""Maximum number of statements offered for one missing branch."""

MAX_CASES, MAX_TARGETS, MAX_VALUES = 24, 3, 6
"""Maximum numbers of conditions for one more branch, of variables that it sets, and of variables that it sets them to.
"""

EMPTY = (("''", 1.0), ("None", 0.8), ("[]", 0.5), ("0", 0.5), ("False", 0.4), ("True", 0.4), ("{}", 0.2))
WORD = re.compile(r"[A-Za-z_]\w*")


def _otherwise(context: RepairContext, node: ast.If, lines: List[str], question: str = "else:") -> Tuple[Edit, ...]:
    """Return the edits that add an `else` or `elif` to a branch."""
    at, text, newline = context.line_end(node), context.source.text, context.source.newline
    indent = context.indentation(node)
    body = indent + question + newline + "".join(indent + context.step() + line + newline for line in lines)
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


def missing_case(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `else` and `elif` branches that set what the other branches set; the latter asks what these ask about."""
    if not isinstance(node, ast.If) or node.orelse or not context.owns_lines(node) or context.indentation(node).strip():
        return
    chain = _chain(context, node)
    targets = _set_in(context, chain[-1])
    asked = {name.id for one in chain for name in ast.walk(one.test) if isinstance(name, ast.Name)}
    about = [(text, weight) for text, weight in predicates(context, node) if set(WORD.findall(text)) & asked]
    about = nsmallest(MAX_CASES, about, key=lambda entry: (-entry[1], entry[0]))
    values = [(name, 0.6) for name in context.names(node)[:MAX_VALUES]] + list(EMPTY)
    words = [("else:", 1.0), *(("elif {}:".format(question), likely) for question, likely in about)]
    for word, likely in words:
        for target in targets:
            for value, weight in values:
                if value != target:
                    yield Change(_otherwise(context, node, ["{} = {}".format(target, value)], word), likely * weight)


def _chain(context: RepairContext, node: ast.If) -> List[ast.If]:
    """Return an `if` with those before it in its chain, the first of all at the end."""
    found, parent = [node], context.parent(node)
    while isinstance(parent, ast.If) and found[-1] in parent.orelse:
        found.append(parent)
        parent = context.parent(parent)
    return found


def _set_in(context: RepairContext, head: ast.If) -> List[str]:
    """Return what the branches of a chain set, functions first."""
    function = context.function_of(head)
    own = [one for one in context.within(head) if context.function_of(context.parent(one)) is function]
    texts = [one.name for one in own if isinstance(one, FUNCTIONS)]
    found = [one.targets[0] for one in own if isinstance(one, ast.Assign) and len(one.targets) == 1]
    texts += [context.text(one) for one in found if isinstance(one, (ast.Name, ast.Attribute, ast.Subscript))]
    return list(dict.fromkeys(text for text in texts if "\n" not in text))[:MAX_TARGETS]


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
    Template("a missing branch", 0.25, missing_case),
    Template("a statement that belongs into an else", 0.2, only_otherwise),
)
