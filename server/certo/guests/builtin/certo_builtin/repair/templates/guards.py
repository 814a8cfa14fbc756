"""Template for the commonest missing guard: against an input, or what was just computed of it, that is not meant."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from certo_builtin.repair.context import COLLECTIONS, NUMBERS, RepairContext
from certo_builtin.repair.templates.statements import insertion
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS, Function

EMPTY = {
    "str": "''",
    "list": "[]",
    "dict": "{}",
    "int": "0",
    "float": "0",
    "bool": "False",
    "tuple": "()",
    "set": "set()",
}
"""The result for nothing, by the type of the function's other results."""

OTHERS = (("None", 0.4), ("False", 0.2), ("True", 0.2), ("0", 0.2), ("[]", 0.2), ("''", 0.2))


def guarded_input(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield `if not x: return R` at the start for an argument, and after an assignment for what was assigned."""
    function = context.function_of(node)
    if not isinstance(function, FUNCTIONS) or node not in function.body or not isinstance(node, ast.stmt):
        return
    names = _new_names(function, node)
    if not names or not context.owns_lines(node):
        return
    actions = _actions(context, function, names)
    for name in names:
        for question, likely in _questions(context, node, name):
            for action, weight in actions:
                lines = ["if {}:".format(question), context.step() + action]
                yield Change(insertion(context, node, lines), likely * weight)


def _new_names(function: Function, node: ast.stmt) -> List[str]:
    """Return the parameters before the first statement, and before another what the one before it sets."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    place = body.index(node) if node in body else -1
    if place == 0:
        given = [*getattr(function.args, "posonlyargs", []), *function.args.args, *function.args.kwonlyargs]
        return [one.arg for one in given if one.arg not in ("self", "cls")]
    before = body[place - 1] if place > 0 else None
    targets = before.targets if isinstance(before, ast.Assign) else []
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _questions(context: RepairContext, node: ast.AST, name: str) -> Iterator[Tuple[str, float]]:
    kinds = context.kinds(context.function_of(node), name)
    yield "not {}".format(name), 1.0
    if not kinds or "NoneType" in kinds or context.is_object(node, name):
        yield "{} is None".format(name), 1.2 if "NoneType" in kinds else 0.3
    if not kinds or kinds & NUMBERS:
        for test, weight in (("< 0", 0.6), ("<= 0", 0.4), ("== 0", 0.4), ("< 1", 0.3)):
            yield "{} {}".format(name, test), weight
    if kinds & COLLECTIONS:
        yield "len({}) == 1".format(name), 0.2


def _actions(context: RepairContext, function: Function, names: List[str]) -> List[Tuple[str, float]]:
    """Return what the guard does: it returns the empty result of the function's kind, an argument, or nothing."""
    own = [one for one in context.within(function) if context.function_of(one) is function]
    values = [one.value for one in own if isinstance(one, ast.Return)]
    if any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in own) or not any(values):
        return [("return", 1.0)]
    found: Dict[str, float] = dict(OTHERS)
    found.update(dict.fromkeys(names, 0.6))
    for value in values:
        kind = _kind(value) if value is not None else ""
        if kind in EMPTY:
            found[EMPTY[kind]] = 1.0
    return [("return " + text, weight) for text, weight in found.items()]


SHOWN = (
    (ast.JoinedStr, "str"), (ast.ListComp, "list"), (ast.List, "list"), (ast.DictComp, "dict"), (ast.Dict, "dict"),
    (ast.Tuple, "tuple"), (ast.Set, "set"), (ast.SetComp, "set"), (ast.Compare, "bool"),
)  # fmt: skip
MADE = {"join": "str", "format": "str", "len": "int", "sum": "int", "sorted": "list", "any": "bool", "all": "bool"}


def _kind(node: ast.expr) -> str:
    """Return the name of the type of a written result, as far as it can be read from it."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return MADE.get(name, name)
    if isinstance(node, ast.BinOp):
        return _kind(node.left) or _kind(node.right)
    return next((name for kind, name in SHOWN if isinstance(node, kind)), "")


TEMPLATES = (Template("a missing guard of an input", 0.4, guarded_input),)
