"""Priors of the templates by place, learned from the histories of projects."""

from __future__ import annotations

import ast

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.learned import FACTORS
from certo_builtin.repair.templates.template import Template

STATEMENTS = {
    ast.Return: "result",
    ast.Assign: "value",
    ast.AugAssign: "value",
    ast.AnnAssign: "value",
    ast.Expr: "call",
}
OTHER = "other"
ANYWHERE = ""
"""Key of the factor for places that have none of their own."""

CHOICES = (ast.If, ast.While, ast.Assert)

SHARED = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
"""Nodes that Python has once for all trees: they stand nowhere."""


def place_of(context: RepairContext, statement: ast.stmt, node: ast.AST) -> str:
    """Return where a node of a statement is: in a condition, an argument, a result, a value, a call or elsewhere."""
    if isinstance(node, SHARED):
        return OTHER
    is_argument = False
    while node is not statement:
        parent = context.parent(node)
        if parent is statement and isinstance(statement, CHOICES) and node is statement.test:
            return "condition"
        is_argument = is_argument or (isinstance(parent, ast.Call) and node is not parent.func)
        node = parent
    return "argument" if is_argument else STATEMENTS.get(type(statement), OTHER)


def prior_of(template: Template, place: str) -> float:
    """Return a template's prior at a place: the written one, times the learned factor if the table has the template."""
    factors = FACTORS.get(template.name, {})
    return template.prior * factors.get(place, factors.get(ANYWHERE, 1.0))
