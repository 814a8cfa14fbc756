"""Judges the constant arguments of calls by what the called tools take, before anything runs."""

from __future__ import annotations

import ast
import reprlib
from collections.abc import Iterator, Mapping

from certo.edits.evaluation import dotted_name
from certo.edits.source import parse
from certo.verification.folding import Constants, NotConstant
from certo.verification.schemas import Parameter, Parameters, Schema, parameters_of
from certo.verification.static import read_verdict
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Verdict


class ConstantArguments:
    """Passes a candidate in which every call of a known tool gives it what it takes, as far as the text shows.

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
        """Read the calls in the candidate's text."""
        return await read_verdict(self.name, candidate, lambda: objections(candidate.text, self._tools))


def objections(source: str, tools: Mapping[str, Parameters]) -> tuple[Finding, ...]:
    """Return what is wrong with the calls of tools in a source: an argument's value, its name, or that it is missing.

    Raises:
        SyntaxError: the source is no Python.
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
