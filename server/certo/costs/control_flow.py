"""Control-flow cost: the calls on the costliest path of a program, found without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from certo.analysis.control_flow import Callee, Flow, own_functions
from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report

CALLS: Final[Mapping[str, float]] = {"llm": 10.0, "search": 5.0, "read": 1.0, "write": 1.0}
"""Weights of calls by dotted name, as in A1; unknown calls cost nothing."""

TOOL: Final = 1.0
"""Weight of a tool of which only the name is known."""

ROUNDS: Final = 10.0
"""Assumed number of iterations of a loop."""


class ControlFlow:
    """Prices a candidate by the calls on the costliest path through the target, loops and own functions included."""

    def __init__(self, calls: Mapping[str, float] = CALLS, *, rounds: float = ROUNDS) -> None:
        self._calls = calls
        self._rounds = rounds

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Add up the weights of the calls in the target; in the whole text, where it has no such function."""
        tree = parse(candidate.text)
        prices = _Prices(tree, self._calls, self._rounds)
        found = definition_of(candidate.text, problem.target)
        value = prices.of_module(tree) if found is None else prices.of(found.node)
        return Cost(value=value, unit="points", source="calls on the longest way through")


def control_flow_cost(source: str, calls: Mapping[str, float] = CALLS, *, rounds: float = ROUNDS) -> float:
    """Return the cost of running a piece of code once; if it only defines functions, of the costliest one.

    A sequence costs the sum of its parts, a branch its costlier side, a loop `rounds` times its body, a call of an own
    function its body, and a recursive function counts as a loop.

    Raises:
        SyntaxError: The source is no Python.
    """
    tree = parse(source)
    return _Prices(tree, calls, rounds).of_module(tree)


class _Prices:
    """Abstract domain whose state is the cost so far."""

    def __init__(self, tree: ast.Module, calls: Mapping[str, float], rounds: float) -> None:
        self._calls = calls
        self._rounds = rounds
        self._functions = own_functions(tree)
        self._flow = Flow(self)
        self._known: dict[Callee, float] = {}
        self._entered: list[Callee] = []
        self._recursive: set[Callee] = set()

    def of_module(self, tree: ast.Module) -> float:
        """Return the cost of a module's statements, and of the functions it defines."""
        own = max(self._flow.through(tree.body, 0.0).all)
        stubs = {self._functions[name] for name in self._calls if name in self._functions}
        offered = [each for each in self._functions.values() if each not in self._known and each not in stubs]
        return own + max(map(self.of, offered), default=0.0)

    def of(self, function: Callee) -> float:
        """Return the cost of one call of a function."""
        if function not in self._known:
            self._entered.append(function)
            paid = max(self._flow.of_function(function, 0.0).all)
            self._entered.pop()
            self._known[function] = paid * (self._rounds if function in self._recursive else 1.0)
        return self._known[function]

    def called(self, name: str, _node: ast.Call, before: float, /) -> float:
        """Return the cost after a call: a known weight, or the body of an own function."""
        weight = self._calls.get(name, self._calls.get(name.removeprefix("self.")))
        if weight is not None:
            return before + weight
        function = self._functions.get(name)
        if function is None:
            return before
        if function in self._entered:
            self._recursive.add(function)
            return before
        return before + self.of(function)

    def join(self, one: float, other: float, /) -> float:
        """Join two paths: the costlier one counts."""
        return max(one, other)

    def again(self, before: float, least: float, after: float, /) -> float:  # noqa: ARG002 - contract
        """Return the cost after a loop: its rounds."""
        return before + self._rounds * (after - before)

    def leaving(self, before: float, after: float, out: float, /) -> float:
        """Return the cost after leaving a loop in its last round: the full rounds before, and the part of the last."""
        return before + (self._rounds - 1) * (after - before) + (out - before)

    def plus(self, state: float, before: float, after: float, /) -> float:
        """Return the cost after a piece of code that runs on each path."""
        return state + (after - before)
