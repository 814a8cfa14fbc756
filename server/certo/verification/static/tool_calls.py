"""Verifiers of tool calls: constant arguments, and the order of calls, checked statically."""

from __future__ import annotations

import ast
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from certo.analysis.constant_folding import Constants, NotConstant
from certo.analysis.control_flow import Callee, Flow, own_functions
from certo.analysis.evaluation_order import dotted_name
from certo.analysis.tool_parameters import Parameter, Parameters, Schema, parameters_of
from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.verification.static.one_by_one import of_each
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class ConstantArguments:
    """Passes a candidate in which every call of a known tool has valid arguments, as far as the text shows.

    `tools` are known by the dotted names they are called by, and described by a pydantic model of their arguments, a
    JSON schema, or the function itself.
    """

    def __init__(self, tools: Mapping[str, Schema]) -> None:
        self._tools = {name: parameters_of(schema) for name, schema in tools.items()}

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "constants"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:  # noqa: ARG002 - the contract's
        """Check the calls in the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: constant_objections(candidate.text, self._tools))


def constant_objections(source: str, tools: Mapping[str, Parameters]) -> tuple[Finding, ...]:
    """Return the errors in tool calls of a source: wrong values, unknown or missing arguments.

    Raises:
        SyntaxError: The source is no Python.
    """
    tree = parse(source)
    constants = Constants(tree)
    found = [
        Finding(message=f"{name}: {message}", line=node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (name := dotted_name(node.func)) in tools
        for message in _wrong(node, tools[name], constants)
    ]
    return tuple(sorted(found, key=lambda finding: finding.line or 0))


def _wrong(call: ast.Call, takes: Parameters, constants: Constants) -> Iterator[str]:
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    placed = [] if starred else call.args
    if len(placed) > len(takes.positional) and not takes.open:
        yield f"takes {len(takes.positional)} arguments, not {len(placed)}"
    given = [*zip(takes.positional, placed, strict=False), *((each.arg, each.value) for each in call.keywords)]
    for name, value in given:
        if name is None:
            continue
        if name in takes.named:
            yield from _wrong_value(name, value, takes.named[name], constants)
        elif not takes.open:
            yield f"takes no argument {name!r}; there are {', '.join(takes.named) or 'none'}"
    if not starred and all(name is not None for name, _ in given):
        there = {name for name, _ in given}
        missing = [name for name, each in takes.named.items() if each.required and name not in there]
        if missing:
            yield f"needs {', '.join(missing)} as well"


def _wrong_value(name: str, node: ast.expr, takes: Parameter, constants: Constants) -> Iterator[str]:
    try:
        value = constants.value_of(node)
    except NotConstant:
        return
    objection = takes.objection(value)
    if objection:
        yield f"{name}={reprlib.repr(value)} will not do: {objection}"


Rule: TypeAlias = tuple[str, str]
"""A name that must be called before another.

A name is matched whole: "query" is `query()` and `db.query()`, not `requery()`.
"""

Called: TypeAlias = frozenset[str]
"""The names in rules that were surely called."""


class CheckOrdering:
    """Passes a candidate in which, for each rule (before, after), no path leads to `after` without `before`.

    A branch, a loop that may run zero times, or an exception on the way does not count as a call. The target is
    checked, or the whole text if it has no such function.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "ordering"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Follow the paths through the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: of_each(candidate, problem, self._objections))

    def _objections(self, candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        found = definition_of(candidate.text, problem.target)
        ways = _ExecutionPaths(parse(candidate.text), self._rules)
        return ways.objections() if found is None else ways.objections_in(found.node)


def ordering_objections(source: str, rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Return a finding for each call that some path reaches without its required earlier call.

    Functions that are only defined are assumed to be called from outside, with no earlier calls.

    Raises:
        SyntaxError: The source is no Python.
    """
    return _ExecutionPaths(parse(source), rules).objections()


class _ExecutionPaths:
    """Abstract domain whose state is the set of calls surely made."""

    def __init__(self, tree: ast.Module, rules: Sequence[Rule]) -> None:
        self._tree = tree
        self._rules = rules
        self._functions = own_functions(tree)
        self._flow = Flow(self)
        self._entered: list[tuple[Callee, Called]] = []
        self._known: dict[tuple[Callee, Called], Called] = {}
        self._found: dict[tuple[int, Rule], Finding] = {}

    def objections(self) -> tuple[Finding, ...]:
        """Return the objections to the module, and to functions that nothing in it calls."""
        self._flow.through(self._tree.body, frozenset())
        called = {function for function, _ in self._known}
        for function in dict.fromkeys(self._functions.values()):
            if function not in called and not self._is_stub(function):
                self._behind(function, frozenset())
        return self._findings()

    def objections_in(self, function: Callee) -> tuple[Finding, ...]:
        """Return the objections to one call of a function."""
        self._behind(function, frozenset())
        return self._findings()

    def called(self, name: str, node: ast.Call, before: Called, /) -> Called:
        """Check the required earlier calls, and return the state with this call added."""
        for rule in self._rules:
            if _is(name, rule[1]) and rule[0] not in before:
                message = f"{rule[1]} may be called before {rule[0]}; on every way to it, call {rule[0]} first"
                self._found.setdefault((node.lineno, rule), Finding(message=message, line=node.lineno))
        function = self._functions.get(name)
        behind = before if function is None else self._behind(function, before)
        return behind.union(rule[0] for rule in self._rules if _is(name, rule[0]))

    def join(self, one: Called, other: Called, /) -> Called:
        """Join two paths: the calls made on both are surely made."""
        return one & other

    def again(self, before: Called, least: Called, after: Called, /) -> Called:  # noqa: ARG002 - contract
        """Return the state after a loop, which may run zero times."""
        return least

    def leaving(self, before: Called, after: Called, out: Called, /) -> Called:  # noqa: ARG002 - contract
        """Return the calls made when a loop is left: later rounds have made at least those of the first."""
        return out

    def plus(self, state: Called, before: Called, after: Called, /) -> Called:
        """Return the calls after a piece of code that runs on each path."""
        return state | (after - before)

    def _behind(self, function: Callee, before: Called) -> Called:
        """Return the calls surely made when a function returns; a recursive call adds nothing."""
        here = (function, before)
        if here not in self._known:
            if here in self._entered:
                return before
            self._entered.append(here)
            exits = self._flow.of_function(function, before)
            self._entered.pop()
            ends = [state for state in (exits.on, exits.returned) if state is not None]
            # A function that never returns is followed by nothing, so any claim about later calls holds.
            self._known[here] = frozenset.intersection(*ends) if ends else frozenset(rule[0] for rule in self._rules)
        return self._known[here]

    def _is_stub(self, function: Callee) -> bool:
        return not isinstance(function, ast.Lambda) and any(function.name in rule for rule in self._rules)

    def _findings(self) -> tuple[Finding, ...]:
        return tuple(sorted(self._found.values(), key=lambda finding: finding.line or 0))


def _is(called: str, name: str) -> bool:
    return called == name or called.endswith(f".{name}")
