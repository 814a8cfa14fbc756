"""Templates for wrong or missing results."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.predicates import predicates
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS

Result = Tuple[str, float]
"""The text of a result and its weight."""


def results(context: RepairContext, node: ast.AST) -> List[Result]:
    """Return the expressions to return at a node: the variables, the function's other results, the usual constants."""
    function = context.function_of(node)
    found = [(name, 1.0) for name in context.values(node)]
    for one in context.within(function):
        if isinstance(one, ast.Return) and one.value is not None and one is not node:
            text = context.text(one.value)
            if "\n" not in text:
                found.append((text, 0.8))
    found += [(name + "[0]", 0.1) for name in context.values(node)]
    constants = {"True": 0.4, "False": 0.4, "None": 0.4, "0": 0.5, "1": 0.5, "[]": 0.4, "''": 0.2, "-1": 0.2, "{}": 0.1}
    found += list(constants.items())
    best: Dict[str, float] = {}
    for text, weight in found:
        best[text] = max(weight, best.get(text, 0.0))
    return list(best.items())


def another_result(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield other results of the kind that such functions return."""
    if isinstance(node, ast.Return):
        for text, weight in results(context, node):
            yield Change(context.swap(node, "return " + text), weight)


def exchanged_results(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield exchanges of two results, as if the branches of a decision were confused."""
    if not isinstance(node, ast.Return) or node.value is None:
        return
    function, text = context.function_of(node), context.text(node.value)
    for other in context.within(function):
        if not isinstance(other, ast.Return) or other.value is None or other.lineno <= node.lineno:
            continue
        there = context.text(other.value)
        if there != text and context.function_of(other) is function:
            yield Change(context.swap(node.value, there) + context.swap(other.value, text))


def a_question(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield predicates in place of a boolean result."""
    if isinstance(node, ast.Return) and node.value is not None:
        constant = isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
        if constant or isinstance(node.value, (ast.Compare, ast.BoolOp)):
            for text, weight in predicates(context, node):
                yield Change(context.swap(node, "return " + text), weight)


def missing_result(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield a return at the end of a function that lacks one."""
    function = context.function_of(node)
    if not isinstance(node, ast.stmt) or isinstance(node, (ast.Return, ast.Raise, *FUNCTIONS)):
        return
    if not isinstance(function, FUNCTIONS) or node is not function.body[-1] or not context.owns_lines(node):
        return
    end = context.line_end(node)
    lead = "" if context.source.text[:end].endswith(("\n", "\r")) else context.source.newline
    for text, weight in results(context, node):
        line = "{}{}return {}{}".format(lead, context.indentation(node), text, "" if lead else context.source.newline)
        yield Change(((end, end, line),), weight)


def last_expression(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield the return of an expression whose value is discarded."""
    if isinstance(node, ast.Expr) and not isinstance(node.value, (ast.Constant, ast.Yield, ast.YieldFrom, ast.Await)):
        start = context.source.start(node)
        yield Change(((start, start, "return "),))


def dropped_result(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield the return of a discarded result of the project's own function, if there is one: a search goes on else."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or not context.owns_lines(node):
        return
    called = node.value.func
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    mine = [one for one in context.within(context.source.tree) if isinstance(one, FUNCTIONS) and one.name == name]
    if not any(isinstance(one, ast.Return) and one.value for each in mine for one in context.within(each)):
        return
    taken = {*context.names(node), *context.scope}
    free = (word for word in ("found", "result", "found_here", "result_here") if word not in taken)
    found = next(free, "")
    for question in (found + " is not None", found) if found else ():
        lines = [
            found + " = " + context.text(node.value),
            "if {}:".format(question),
            context.step() + "return " + found,
        ]
        yield Change(context.swap(node, (context.source.newline + context.indentation(node)).join(lines)))


TEMPLATES = (
    Template("another result", 0.5, another_result),
    Template("results exchanged", 0.3, exchanged_results),
    Template("a question as the result", 0.4, a_question),
    Template("a missing result", 0.4, missing_result),
    Template("a value not returned", 0.3, last_expression),
    Template("a result that is dropped", 0.3, dropped_result),
)
