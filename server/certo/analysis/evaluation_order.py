"""Abstract interpretation of expressions, in Python's evaluation order."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Generic, Protocol, TypeAlias, TypeVar

State = TypeVar("State")

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_APPLY = frozenset({"map", "filter", "starmap", "itertools.starmap"})
"""Functions that call their first argument, once for each element of the others."""


class Domain(Protocol[State]):
    """Abstract domain of values along paths through code, such as a cost or the calls surely made."""

    def called(self, name: str, node: ast.Call, before: State, /) -> State:
        """Return the state after a call of `name`, a dotted name, or "" if the callee has none."""
        ...

    def join(self, one: State, other: State, /) -> State:
        """Return the state where two paths meet."""
        ...

    def again(self, before: State, least: State, after: State, /) -> State:
        """Return the state after a loop, one round of which leads from `before` to `after`.

        `least` is the state without any round.
        """
        ...

    def leaving(self, before: State, after: State, out: State, /) -> State:
        """Return the state after a loop that is left during its last round, at the state `out`."""
        ...

    def plus(self, state: State, before: State, after: State, /) -> State:
        """Return `state` followed by the effect that leads from `before` to `after`."""
        ...


def dotted_name(node: ast.expr) -> str:
    """Return the dotted name of an expression, `self.` and `cls.` included, or "" if it is none."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


class EvaluationOrder(Generic[State]):
    """Interpreter of expressions over one abstract domain."""

    def __init__(self, domain: Domain[State]) -> None:
        self._domain = domain

    def through(self, node: ast.expr | None, before: State) -> State:
        """Return the state after an expression; the body of a lambda is not evaluated."""
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
        """Return the state after several expressions in order."""
        for each in nodes:
            before = self.through(each, before)
        return before

    def defaults(self, arguments: ast.arguments, before: State) -> State:
        """Return the state after the defaults of a function's parameters."""
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
        """Evaluate the first `surely` values, and a prefix of the others, as in short-circuit evaluation."""
        reached = self.all(values[:surely], before)
        result = reached
        for value in values[surely:]:
            reached = self.through(value, reached)
            result = self._domain.join(result, reached)
        return result

    def _operands(self, node: ast.expr, before: State) -> State:
        """Evaluate a sum of any length iteratively, because its left operands are nested too deeply for recursion."""
        operands: list[ast.expr] = []
        while isinstance(node, ast.BinOp):
            operands.append(node.right)
            node = node.left
        return self.all([node, *reversed(operands)], before)

    def _rounds(self, node: Comprehension, depth: int, before: State) -> State:
        """Evaluate a comprehension from one of its loops on, whose iterable has been evaluated."""
        tested = self.all(node.generators[depth].ifs, before)
        if depth + 1 < len(node.generators):
            inner = self._rounds(node, depth + 1, self.through(node.generators[depth + 1].iter, tested))
        else:
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            inner = self.all(made, tested)
        return self._domain.again(before, before, self._domain.join(tested, inner))
