"""Expressions in the order in which they are evaluated: what becomes of a state on the way through one."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Generic, Protocol, TypeAlias, TypeVar

State = TypeVar("State")

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_APPLY = frozenset({"map", "filter", "starmap", "itertools.starmap"})
"""Calls that call what they are given first, once for each element of the rest."""


class Domain(Protocol[State]):
    """The abstract value followed along the paths through code, such as a cost or the calls surely made."""

    def called(self, name: str, node: ast.Call, before: State, /) -> State:
        """Return the state behind the call of `name`, a dotted name, or "" where what is called has none."""
        ...

    def join(self, one: State, other: State, /) -> State:
        """Return what holds where two ways meet."""
        ...

    def again(self, before: State, least: State, after: State, /) -> State:
        """Return the state behind a loop, of which one round leads from `before` to `after`.

        `least` is the state when there is no round.
        """
        ...

    def leaving(self, before: State, after: State, out: State, /) -> State:
        """Return the state behind a loop that is left in the middle of its last round, where `out` held."""
        ...

    def plus(self, state: State, before: State, after: State, /) -> State:
        """Return what becomes of a state by what leads from `before` to `after`."""
        ...


def dotted_name(node: ast.expr) -> str:
    """Return the dotted name that an expression is, `self.` and `cls.` kept, or "" when it is none."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


class EvaluationOrder(Generic[State]):
    """Leads a state of one domain through expressions."""

    def __init__(self, domain: Domain[State]) -> None:
        self._domain = domain

    def through(self, node: ast.expr | None, before: State) -> State:
        """Return the state behind an expression; nothing is evaluated of the body of a lambda."""
        match node:
            case None:
                return before
            case ast.Call():
                return self._call(node, before)
            case ast.IfExp():
                tested = self.through(node.test, before)
                return self._domain.join(self.through(node.body, tested), self.through(node.orelse, tested))
            case ast.BoolOp():
                return self._as_far_as_needed(node.values, 1, before)
            case ast.Compare():
                return self._as_far_as_needed([node.left, *node.comparators], 2, before)
            case ast.BinOp():
                return self._operands(node, before)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                first = node.generators[0]
                return self._rounds(node, 0, self.through(first.iter, before))
            case ast.Lambda():
                return self.defaults(node.args, before)
            case _:
                return self.all((each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)), before)

    def all(self, nodes: Iterable[ast.expr | None], before: State) -> State:
        """Return the state behind several expressions, one after another."""
        for each in nodes:
            before = self.through(each, before)
        return before

    def defaults(self, arguments: ast.arguments, before: State) -> State:
        """Return the state behind the defaults of a function's parameters."""
        return self.all([*arguments.defaults, *arguments.kw_defaults], before)

    def _call(self, node: ast.Call, before: State) -> State:
        name = dotted_name(node.func)
        if not name:
            before = self.through(node.func, before)
        state = self.all([*node.args, *(each.value for each in node.keywords)], before)
        if name in _APPLY and node.args:
            applied = node.args[0]
            if isinstance(applied, ast.Lambda):
                return self._domain.again(state, state, self.through(applied.body, state))
            return self._domain.again(state, state, self._domain.called(dotted_name(applied), node, state))
        return self._domain.called(name, node, state)

    def _as_far_as_needed(self, values: list[ast.expr], surely: int, before: State) -> State:
        """Evaluate the first ones, and then as many as it takes to know what comes out."""
        reached = self.all(values[:surely], before)
        result = reached
        for value in values[surely:]:
            reached = self.through(value, reached)
            result = self._domain.join(result, reached)
        return result

    def _operands(self, node: ast.expr, before: State) -> State:
        """Evaluate a sum, however long; its operands lean to the left, too deeply for one call within another."""
        operands: list[ast.expr] = []
        while isinstance(node, ast.BinOp):
            operands.append(node.right)
            node = node.left
        return self.all([node, *reversed(operands)], before)

    def _rounds(self, node: Comprehension, depth: int, before: State) -> State:
        """Go through a comprehension from one of its loops on, of which the iterable was evaluated already."""
        tested = self.all(node.generators[depth].ifs, before)
        if depth + 1 < len(node.generators):
            inner = self._rounds(node, depth + 1, self.through(node.generators[depth + 1].iter, tested))
        else:
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            inner = self.all(made, tested)
        return self._domain.again(before, before, self._domain.join(tested, inner))
