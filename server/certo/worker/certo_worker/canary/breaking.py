"""Breaking the assertions of a module's syntax tree, in such a way that what is right fails and what lies does not.

Turning an assertion round would make it fail for an object that equals anything as well, so a comparison is not turned
round: it is made with another value. Whatever else is asserted is turned round.
"""

from __future__ import annotations

import ast
from typing import Any, List

from certo_worker.own_import import import_into

_VERDICTS = "@certo verdicts"
"""The name, which no program can spell, under which a broken module has what its assertions call."""

_ORDERS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_RAISES = frozenset(("raises", "assertRaises", "assertRaisesRegex"))
_WARNS = frozenset(("warns", "assertWarns", "assertWarnsRegex"))


def broken(tree: ast.Module) -> None:
    """Break every assertion of a module, and let it import what they call."""
    _Breaker().visit(tree)
    import_into(tree, "certo_worker.canary.verdicts", "VERDICTS", _VERDICTS)


class _Breaker(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        never = isinstance(node.test, ast.Constant) and not node.test.value
        if not never:
            node.test = ast.copy_location(_opposite(node.test), node.test)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = _last_name(node.func)
        verdict = "never" if name in _RAISES else "never_warned" if name in _WARNS else ""
        if verdict and node.args:
            node.args[0] = _asked(verdict, [node.args[0]])
        for keyword in node.keywords if verdict else []:
            if keyword.arg == "expected_exception":
                keyword.value = _asked(verdict, [keyword.value])
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call):
            name = _last_name(call.func)
            if name.startswith("assert") and name not in _RAISES and name not in _WARNS:
                call.args.insert(0, call.func)
                call.func = _verdict("call")
        return node


def _opposite(test: ast.expr) -> ast.expr:
    """Return the broken form of what is asserted to be true."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return ast.BoolOp(ast.Or(), [_opposite(value) for value in test.values])
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _asked("site", [test.operand])
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.Eq):
            return _asked("equal", [test.left, test.comparators[0]])
        if isinstance(test.ops[0], ast.In):
            return _asked("within", [test.left, test.comparators[0]])
        if isinstance(test.ops[0], tuple(_ORDERS)):
            order = ast.Constant(_ORDERS[type(test.ops[0])])
            return _asked("ordered", [order, test.left, test.comparators[0]])
    every = _every(test)
    if every is not None:
        every.elt = _opposite(every.elt)
        return ast.Call(ast.Name("any", ast.Load()), [every], [])
    return ast.UnaryOp(ast.Not(), _asked("site", [test]))


def _every(test: ast.expr) -> Any:
    """Return the comprehension of `all(… for … in …)`."""
    if not isinstance(test, ast.Call) or _last_name(test.func) != "all" or len(test.args) != 1:
        return None
    return test.args[0] if isinstance(test.args[0], (ast.GeneratorExp, ast.ListComp)) else None


def _asked(name: str, arguments: List[ast.expr]) -> ast.Call:
    return ast.Call(_verdict(name), arguments, [])


def _verdict(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name(_VERDICTS, ast.Load()), name, ast.Load())


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
