"""Text that is handed on where reading loses it: by objects, properties, generators, handlers and the like.

The reading does not follow what a class or a library does with a text. It takes every variable that a text of the
function met in a statement to hold that text, and, once one was put into an attribute, every attribute.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final, TypeGuard

from certo.analysis.text_expressions import (
    arguments_of,
    called,
    is_no_name,
    mentioned,
    names_bound,
    root_of,
    text_of,
)
from certo.analysis.text_variables import BUILTINS, TextVariables
from certo.vocabulary.records import dataclass

_SETTING = frozenset({"setattr", "__setattr__", "__set__"})
_SENDING = frozenset({"send", "asend"})
_FILLING_NAMES = "append appendleft add insert extend update setdefault push put __setitem__ __ior__"
_FILLING = frozenset(_FILLING_NAMES.split())
_ATTRIBUTES: Final = "."
_SENT: Final = "yield"
"""The names that stand for all attributes of all objects, and for what generators are sent; no variable has them."""


@dataclass(frozen=True, slots=True)
class _Flow:
    """Text that goes from any of some expressions or names to some variables."""

    sources: tuple[ast.AST, ...]
    targets: frozenset[str]
    bound: frozenset[str] = frozenset()
    """Those of the targets that are made to mean something else, not changed."""


class HiddenTexts:
    """The variables of one node of a module that may hold a text of a certain origin or a less known one."""

    def __init__(self, node: ast.AST, origins: TextVariables, least: int) -> None:
        self._own = {*origins.functions, *origins.classes, getattr(node, "name", "")}
        self._local = origins.local - _parameters(node) - {"self", "cls"}
        found = (each for each in origins.nodes if isinstance(each, ast.expr) and not is_no_name(text_of(each)))
        lost = set(_lost(origins.nodes))
        self._texts = {id(each) for each in found if id(each) not in lost and origins.level(each) >= least}
        self._holding: set[str] = set()
        self._bound: set[str] = set()
        if self._texts:
            self._spread([flow for each in origins.nodes for flow in self._flows(each, node)])

    def may_be_in(self, node: ast.AST) -> bool:
        """True if an expression may give such a text."""
        if isinstance(node, ast.Name):
            # A text cannot be changed, only another one can be given the name.
            return node.id in self._bound
        return bool(self._texts) and self._carries(self._held(node))

    def __bool__(self) -> bool:
        """True if there is such a text at all."""
        return bool(self._texts)

    def _spread(self, flows: list[_Flow]) -> None:
        held = [(frozenset().union(*map(self._held, flow.sources)), flow) for flow in flows]
        before = -1
        while before != len(self._holding) + len(self._bound):
            before = len(self._holding) + len(self._bound)
            for sources, flow in held:
                if self._carries(sources):
                    self._holding |= flow.targets
                    self._bound |= flow.bound

    def _carries(self, held: frozenset[str | int]) -> bool:
        return not held.isdisjoint(self._holding) or not held.isdisjoint(self._texts)

    def _held(self, node: ast.AST) -> frozenset[str | int]:
        """Return the variables and texts in an expression, and the name for attributes if it has one of these."""
        held: set[str | int] = set()
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                held.add(each.id)
            elif isinstance(each, ast.Attribute):
                held.update((_ATTRIBUTES, each.attr) if each.attr in self._own else (_ATTRIBUTES,))
            elif isinstance(each, ast.Yield):
                held.add(_SENT)
            if id(each) in self._texts:
                held.add(id(each))
        return frozenset(held)

    def _flows(self, node: ast.AST, whole: ast.AST) -> Iterator[_Flow]:
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from self._stored(targets, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
            ):
                yield from self._stored([target], value)
            case ast.Call():
                yield self._handed_over(node)
            case ast.Match(subject=subject, cases=cases):
                yield _Flow((subject,), *_twice(name for case in cases for name in _bound(case.pattern)))
            case ast.Try(body=body, handlers=handlers) | ast.TryStar(body=body, handlers=handlers):
                yield _Flow((*body,), *_twice(each.name for each in handlers if each.name))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from _defined(node) if node is not whole else _returned(node)

    def _stored(self, targets: Iterable[ast.expr], value: ast.expr) -> Iterator[_Flow]:
        places = [each for target in targets for each in ast.walk(target) if isinstance(each, ast.expr)]
        names = frozenset(each.id for each in places if isinstance(each, ast.Name))
        outside = any(isinstance(each, ast.Subscript) and root_of(each.value) not in self._local for each in places)
        if outside or any(isinstance(each, ast.Attribute) for each in places):
            names |= {_ATTRIBUTES}
        yield _Flow((value,), names, frozenset(each.id for each in places if _is_stored(each)))
        if isinstance(value, ast.Name | ast.Attribute | ast.Subscript) or called(value) == "vars":
            # Another name of the same object.
            shared = self._names_in(value)
            yield _Flow(tuple(ast.Name(id=name) for name in names - {_ATTRIBUTES}), shared)

    def _names_in(self, value: ast.AST) -> frozenset[str]:
        names = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
        return frozenset(names if names <= self._local else {*names, _ATTRIBUTES})

    def _handed_over(self, call: ast.Call) -> _Flow:
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        parts = [receiver, *arguments_of(call)]
        taken = frozenset(name for each in parts for name in _bound(each))
        names = ({root_of(each) for each in parts} - BUILTINS) | taken
        name = called(call)
        outside = name in _FILLING and root_of(receiver) not in self._local
        if name in _SETTING or outside or "__dict__" in map(mentioned, ast.walk(receiver)):
            names.add(_ATTRIBUTES)
        if name in _SENDING:
            names.add(_SENT)
        return _Flow((call,), frozenset(names - {""}), taken)


def _returned(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[_Flow]:
    ends = (each for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom))
    yield _Flow(tuple(each.value for each in ends if each.value), frozenset({node.name}))


def _defined(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[_Flow]:
    decorators = {root_of(each) for part in node.decorator_list for each in ast.walk(part)} - {""}
    replaced = frozenset({node.name} if decorators else ())
    yield _Flow((*node.body, *node.decorator_list), frozenset({node.name, *decorators}), replaced)
    yield _Flow((ast.Name(id=node.name),), *_twice(_arguments(node)))


def _lost(nodes: list[ast.AST]) -> Iterator[int]:
    """Yield the expressions of which nothing within the function gets the value: it is dropped, or ends the run."""
    raises = not any(isinstance(each, ast.ExceptHandler | ast.With | ast.AsyncWith) for each in nodes)
    for each in nodes:
        if isinstance(each, ast.Expr):
            yield id(each.value)
        elif isinstance(each, ast.Raise) and raises:
            yield from map(id, ast.walk(each))


def _twice(names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    found = frozenset(names)
    return found, found


def _is_stored(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a pattern or the functions in an expression bind."""
    return (name for each in ast.walk(node) for name in names_bound(each))


def _arguments(node: ast.AST) -> Iterator[str]:
    return (each.arg for each in ast.walk(node) if isinstance(each, ast.arg))


def _parameters(node: ast.AST) -> set[str]:
    return set(_arguments(node.args)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else set()
