"""Templates for missing bindings: a variable that is read but never set, or changed before it is set."""

from __future__ import annotations

import ast
import builtins
import re
from functools import lru_cache
from typing import Dict, Iterator, List, Optional, Set, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.templates.handlers import resolved
from certo_builtin.repair.templates.statements import insertion
from certo_builtin.repair.templates.template import Change, Template
from certo_builtin.source import FUNCTIONS

STARTS = (
    ("0", 1.0), ("1", 0.5), ("[]", 1.0), ("''", 0.6), ("{}", 0.6), ("set()", 0.5), ("None", 0.4), ("False", 0.4),
    ("True", 0.4), ("float('inf')", 0.2), ("float('-inf')", 0.2),
)  # fmt: skip
"""Common initial values, with weights."""

SHAPES = (
    ("{}", 0.6), ("len({})", 0.8), ("list({})", 0.3), ("set({})", 0.3), ("sorted({})", 0.3), ("sum({})", 0.3),
    ("max({})", 0.3), ("min({})", 0.3), ("{}[0]", 0.5), ("str({})", 0.3), ("{}.split()", 0.3),
)  # fmt: skip
"""Common initial values made from another variable, with weights."""


@lru_cache(maxsize=4)
def _unset(context: RepairContext) -> List[str]:
    """Return the names that the target reads or changes but no one sets, in order of occurrence."""
    bound: Set[str] = set(dir(builtins)) | _set_by_module(context.source.tree) | _set_around(context)
    if "*" in bound:
        # Anything may come from there.
        return []
    changed: Set[str] = set()
    mentioned: Dict[str, None] = {}
    for node in ast.walk(context.target):
        if not isinstance(node, ast.Name):
            bound.update(_set_by(node))
        else:
            mentioned[node.id] = None
            if isinstance(node.ctx, ast.Store):
                (changed if isinstance(context.parent(node), ast.AugAssign) else bound).add(node.id)
    return [name for name in mentioned if name not in bound]


def _set_by(node: ast.AST) -> List[str]:
    """Return the names that a node sets without being a name itself."""
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []


def _set_around(context: RepairContext) -> Set[str]:
    """Return the names that the functions around the target mention."""
    found: Set[str] = set()
    outer = context.function_of(context.parent(context.target))
    while isinstance(outer, FUNCTIONS):
        for node in ast.walk(outer):
            found.update([node.id] if isinstance(node, ast.Name) else _set_by(node))
        outer = context.function_of(context.parent(outer))
    return found


def _set_by_module(tree: ast.Module) -> Set[str]:
    """Return the names that the module sets, `*` among them if it has a star import."""
    found: Set[str] = set()
    for node in ast.walk(tree):
        if node in tree.body or isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(_set_by(node))
    for statement in tree.body:
        if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            found.update(one.id for one in ast.walk(statement) if isinstance(one, ast.Name))
    return found


def missing_binding(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield assignments of the variable at the beginning, or before the statement that mentions it first."""
    unset = _unset(context) if isinstance(node, ast.stmt) and context.owns_lines(node) else []
    if not unset or not isinstance(node, ast.stmt):
        return
    first = (
        node in context.target.body and not isinstance(node, (*FUNCTIONS, ast.ClassDef)) and _is_first(context, node)
    )
    mentions = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    for name in unset:
        if first or name in mentions:
            for value, weight in _values(context, node, name):
                yield Change(insertion(context, node, ["{} = {}".format(name, value)]), weight)


def _is_first(context: RepairContext, node: ast.stmt) -> bool:
    body = [
        one for one in context.target.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]
    return bool(body) and node is body[0]


def _values(context: RepairContext, node: ast.stmt, name: str) -> Iterator[Tuple[str, float]]:
    yield from STARTS
    others = [other for other in context.values(node) if other != name]
    for other in others:
        for shape, weight in SHAPES:
            yield shape.format(other), weight
    for text, one, size in context.ingredients(node):
        read = {inner.id for inner in ast.walk(one) if isinstance(inner, ast.Name)}
        if size >= 2 and name not in read:
            yield text, 0.3


def restored(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield what was there before, kept at the start, in place of a constant that a `finally` sets at the end."""
    if not isinstance(node, ast.Try) or not node.finalbody or not context.owns_lines(node):
        return
    start = next(
        one for one in context.target.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    )
    taken = {*context.names(node), *context.scope}
    kept = next((word for word in ("before", "previous", "kept") if word not in taken), None)
    if kept is None or not context.owns_lines(start):
        return
    for one in node.finalbody:
        given, now = _set_at_end(context, one)
        if given is not None and now:
            line = insertion(context, start, ["{} = {}".format(kept, now)])
            yield Change(line + context.swap(given, kept))


def _set_at_end(context: RepairContext, node: ast.stmt) -> Tuple[Optional[ast.expr], str]:
    """Return the constant that a statement sets something to, and how to read what it is; None if it sets nothing."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
        return node.value, context.text(node.targets[0])
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.args[0], ast.Constant):
        setter = context.text(call.func)
        for word in ("get", "is", "has"):
            getter = re.sub(r"(^|[._])set_", r"\1{}_".format(word), setter)
            if getter != setter and (resolved(context, getter) is not None or getter in context.source.text):
                return call.args[0], getter + "()"
    return None, ""


def missing_parameter(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield inner functions that take whatever else they are called with, if a failing check raised a TypeError."""
    if not isinstance(node, FUNCTIONS) or node is context.target or "TypeError" not in context.raised:
        return
    source, given = context.source, node.args
    start = source.text.find("(", source.start(node)) + 1
    end = source.text.rfind(")", start, source.start(node.returns or node.body[0]))
    written = source.text[start:end].rstrip()
    if given.kwarg is not None or end < 0 or "#" in source.text[start : source.start(node.body[0])]:
        return
    at, lead = start + len(written), ", " if written else ""
    lead = " " if written.endswith(",") else lead
    yield Change(((at, at, lead + "**kwargs"),))
    if given.vararg is None and not given.kwonlyargs:
        yield Change(((at, at, lead + "*args, **kwargs"),), 0.5)


def missing_default(context: RepairContext, node: ast.AST) -> Iterator[Change]:
    """Yield defaults inside the function for an optional argument that has none."""
    if not isinstance(node, ast.stmt) or node not in context.target.body or not context.owns_lines(node):
        return
    if _is_first(context, node):
        for name in _left_out(context.target.args):
            for value, weight in STARTS:
                if value != "None":
                    lines = ["if {} is None:".format(name), "{}{} = {}".format(context.step(), name, value)]
                    yield Change(insertion(context, node, lines), weight)


def _left_out(arguments: ast.arguments) -> List[str]:
    """Return the arguments whose default is None."""
    positional = [*getattr(arguments, "posonlyargs", []), *arguments.args]
    pairs = [*zip(positional[::-1], arguments.defaults[::-1]), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [one.arg for one, default in pairs if isinstance(default, ast.Constant) and default.value is None]


TEMPLATES = (
    Template("a variable never set", 1.0, missing_binding),
    Template("an argument left out", 0.4, missing_default),
    Template("a state not restored", 0.4, restored),
    Template("an argument not taken", 0.4, missing_parameter),
)
