"""Judges whether calls come in the order that was asked for, on every way through the code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from certo.edits.flow import Callee, Flow, own_functions
from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.verification.static import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict

Rule: TypeAlias = tuple[str, str]
"""What has to be called before what. A name is matched whole: "query" is `query()` and `db.query()`, no `requery()`."""

Called: TypeAlias = frozenset[str]
"""The names, of those that rules ask for, that were surely called."""


class CheckOrdering:
    """Passes a candidate in which, for each rule (before, after), no way leads to `after` without `before`.

    A branch, a loop that may not be entered once, or an exception on the way does not count as having called. What
    stands in the target is judged, or the whole text where it has no such function.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "ordering"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Follow the ways through the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: self._objections(candidate, problem))

    def _objections(self, candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        found = definition_of(candidate.text, problem.target)
        ways = _Ways(parse(candidate.text), self._rules)
        return ways.objections() if found is None else ways.objections_in(found.node)


def objections(source: str, rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Return one finding for each call that some way leads to without what has to be called before.

    Functions that the code only defines are taken to be called from outside, by somebody who called nothing before.

    Raises:
        SyntaxError: the source is no Python.
    """
    return _Ways(parse(source), rules).objections()


class _Ways:
    """A domain in which the state is what was surely called."""

    def __init__(self, tree: ast.Module, rules: Sequence[Rule]) -> None:
        self._tree = tree
        self._rules = rules
        self._functions = own_functions(tree)
        self._flow = Flow(self)
        self._entered: list[tuple[Callee, Called]] = []
        self._known: dict[tuple[Callee, Called], Called] = {}
        self._found: dict[tuple[int, Rule], Finding] = {}

    def objections(self) -> tuple[Finding, ...]:
        """What there is to say of the module, and of the functions that nothing in it calls."""
        self._flow.through(self._tree.body, frozenset())
        called = {function for function, _ in self._known}
        for function in dict.fromkeys(self._functions.values()):
            if function not in called and not self._is_stub(function):
                self._behind(function, frozenset())
        return self._findings()

    def objections_in(self, function: Callee) -> tuple[Finding, ...]:
        """What there is to say of one function when it is called."""
        self._behind(function, frozenset())
        return self._findings()

    def called(self, name: str, node: ast.Call, before: Called, /) -> Called:
        """Note what should have been called before, and that this was called."""
        for rule in self._rules:
            if _is(name, rule[1]) and rule[0] not in before:
                message = f"{rule[1]} may be called before {rule[0]}; on every way to it, call {rule[0]} first"
                self._found.setdefault((node.lineno, rule), Finding(message=message, line=node.lineno))
        function = self._functions.get(name)
        behind = before if function is None else self._behind(function, before)
        return behind.union(rule[0] for rule in self._rules if _is(name, rule[0]))

    def join(self, one: Called, other: Called, /) -> Called:
        """Where ways meet, what both called was surely called."""
        return one & other

    def again(self, before: Called, least: Called, after: Called, /) -> Called:  # noqa: ARG002 - contract
        """A loop may not go round once."""
        return least

    def leaving(self, before: Called, after: Called, out: Called, /) -> Called:  # noqa: ARG002 - contract
        """What leaves a loop in its first round has called no less in a later one."""
        return out

    def plus(self, state: Called, before: Called, after: Called, /) -> Called:
        """What is called on every way is called on each."""
        return state | (after - before)

    def _behind(self, function: Callee, before: Called) -> Called:
        """What was surely called when a function comes back; one that calls itself adds nothing by that."""
        here = (function, before)
        if here not in self._known:
            if here in self._entered:
                return before
            self._entered.append(here)
            exits = self._flow.of_function(function, before)
            self._entered.pop()
            ends = [state for state in (exits.on, exits.returned) if state is not None]
            # A function that never comes back leads nowhere, so anything may be said of what is behind it.
            self._known[here] = frozenset.intersection(*ends) if ends else frozenset(rule[0] for rule in self._rules)
        return self._known[here]

    def _is_stub(self, function: Callee) -> bool:
        return not isinstance(function, ast.Lambda) and any(function.name in rule for rule in self._rules)

    def _findings(self) -> tuple[Finding, ...]:
        return tuple(sorted(self._found.values(), key=lambda finding: finding.line or 0))


def _is(called: str, name: str) -> bool:
    return called == name or called.endswith(f".{name}")
