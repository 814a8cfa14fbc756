"""Wrong calls and parts: arguments exchanged, dropped or passed on unwrapped; a call too many or one missing."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import Iterator, List

from certo_builtin.scene import COLLECTIONS, NUMBERS, Scene
from certo_builtin.templates.template import Change, Template


def _positional(node: ast.Call) -> List[ast.expr]:
    return [] if any(isinstance(one, ast.Starred) for one in node.args) else node.args


def exchanged(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """Two arguments, elements or indices in the place of each other."""
    if isinstance(node, ast.Call):
        for one, other in combinations(_positional(node), 2):
            yield Change(scene.exchange(one, other))
    elif isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Load):
        for one, other in combinations(node.elts, 2):
            yield Change(scene.exchange(one, other), 0.7)


def dropped(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """An argument too many."""
    if isinstance(node, ast.Call) and len(_positional(node)) >= 2:
        start, end = scene.source.start(node.args[0]), scene.source.end(node.args[-1])
        for index in range(len(node.args)):
            rest = [scene.text(one) for number, one in enumerate(node.args) if number != index]
            yield Change(((start, end, ", ".join(rest)),))


def unwrapped(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """An operation too many: one of its parts stands in its place."""
    inner: List[ast.expr] = []
    if isinstance(node, ast.Call):
        inner = _positional(node) + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    elif isinstance(node, ast.BinOp):
        inner = [node.left, node.right]
    elif isinstance(node, ast.IfExp):
        inner = [node.body, node.orelse]
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Load):
        inner = [] if scene.is_callee(node) else [node.value]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        inner = [node.generators[0].iter]
    for part in inner:
        if isinstance(node, ast.expr):
            yield Change(scene.replace(node, scene.text(part)))


def wrapped(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """A call that is missing around a value."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.ListComp, ast.BinOp)):
        return
    parent = scene.parent(node)
    owner = isinstance(parent, (ast.Attribute, ast.Subscript)) and node is parent.value
    if scene.is_callee(node) or owner or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return
    text = scene.text(node)
    shapes = ["abs({})", "int({})", "str({})", "float({})", "round({})"]
    collections = ["len({})", "sorted({})", "set({})", "list({})", "max({})", "min({})", "sum({})", "reversed({})"]
    if isinstance(node, ast.Name) and not scene.may_be(node, node.id, COLLECTIONS):
        collections = ["[{}]"]
    if isinstance(node, ast.Name) and not scene.may_be(node, node.id, NUMBERS):
        shapes = ["str({})"]
    for shape in shapes + collections:
        yield Change(scene.replace(node, shape.format(text)))


def bounded(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """A number that lacks a bound: `max(0, x)`, or `best = max(best, x)` where a best so far is forgotten."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], ast.Tuple):
        target, value = scene.text(node.targets[0]), scene.text(node.value)
        for call in ("max", "min"):
            yield Change(scene.swap(node.value, "{}({}, {})".format(call, target, value)), 1.3)
            yield Change(scene.swap(node.value, "{}(0, {})".format(call, value)))
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Tuple):
        for name in ["0", *scene.values(node)]:
            if name == "0" or scene.may_be(node, name, NUMBERS):
                for call in ("max", "min"):
                    yield Change(scene.swap(node.value, "{}({}, {})".format(call, name, scene.text(node.value))), 0.5)


def options(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """An ordering call that lacks or has the wrong option."""
    if not isinstance(node, ast.Call) or not node.args:
        return
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    keywords = {one.arg for one in node.keywords}
    end = scene.source.end(node.args[-1])
    if name == "sorted" and "reverse" not in keywords:
        yield Change(((end, end, ", reverse=True"),))
    if name in ("sorted", "max", "min") and "key" not in keywords:
        for key in ("len", "abs", "str.lower", "str"):
            yield Change(((end, end, ", key=" + key),), 0.5)
    if name == "range" and len(node.args) == 1:
        start = scene.source.start(node.args[0])
        yield Change(((start, start, "1, "),))
        yield Change(((start, start, "1, "), (end, end, " + 1")))


def delegation(scene: Scene, node: ast.AST) -> Iterator[Change]:
    """`yield` for `yield from`, `return` for `yield`, and the other ways round."""
    if isinstance(node, (ast.Yield, ast.YieldFrom)) and node.value is not None:
        value = scene.text(node.value)
        for word in ("yield", "yield from"):
            if not scene.text(node).startswith(word + " " + value):
                yield Change(scene.swap(node, "{} {}".format(word, value)))
        for inner in _arguments(node.value):
            yield Change(scene.swap(node, "yield {}".format(scene.text(inner))))


def _arguments(node: ast.expr) -> List[ast.expr]:
    return _positional(node) if isinstance(node, ast.Call) else []


TEMPLATES = (
    Template("arguments exchanged", 0.7, exchanged),
    Template("an argument dropped", 0.3, dropped),
    Template("an operation dropped", 0.5, unwrapped),
    Template("a missing call", 0.3, wrapped),
    Template("a missing bound", 0.4, bounded),
    Template("another option of a call", 0.3, options),
    Template("another way to yield", 0.3, delegation),
)
