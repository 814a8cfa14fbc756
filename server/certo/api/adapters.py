"""Adapters: the caller's generators, verifiers and costs as the parts that a search is made of."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import Any, cast

from certo.analysis.tool_parameters import Schema, parameters_of
from certo.api.model_context import in_force
from certo.api.parts import takes_runtime
from certo.api.specification import Specification
from certo.costs.criteria import CriterionCost
from certo.costs.model import CostModel
from certo.costs.plugged import as_cost_model
from certo.criteria.criterion import Gate, Gauge
from certo.generation.generator import Ask, Attempt, Declined, Generator, Proposal, Proposer
from certo.generation.model.code_extraction import extract
from certo.generation.model.code_placement import place_code
from certo.llm.prompt import Message
from certo.verification.criteria import CriterionVerifier
from certo.verification.plugged import as_verifiers as verifiers_of
from certo.verification.plugged import code_of
from certo.verification.static.tool_calls import ConstantArguments
from certo.verification.verifier import Verifier
from certo.vocabulary.errors import BadSetting, CertoError
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failed attempt, as the next one's writer sees it: the function's text, and what was found wrong with it."""

    code: str
    error: str


def checked_calls(wanted: Specification) -> tuple[Verifier, ...]:
    """Return the verifier that objects to constants that the function's tools do not take; none without tools."""
    known: dict[str, Schema] = {}
    for tool in wanted.all_tools:
        try:
            parameters_of(tool.function)
        except (TypeError, ValueError):
            # A function that does not say what it takes can be given anything.
            continue
        known[tool.name] = tool.function
    return (ConstantArguments(known),) if known else ()


def as_verifiers(given: Any) -> tuple[Verifier, ...]:
    """Return the verifiers that a strategy's `verify` stands for, in its order; A1's kind judges by `verify`.

    Raises:
        BadSetting: one of them is nothing that can judge.
    """
    return tuple(_verifiers(given))


def _verifiers(given: Any) -> Iterator[Verifier]:
    if given is None:
        return
    if isinstance(given, list | tuple):
        for each in given:
            yield from _verifiers(each)
    elif isinstance(given, Gate):
        yield CriterionVerifier(given)
    else:
        # Certo's own may be recognised by what they are, and are not wrapped.
        own = hasattr(given, "judge") and hasattr(given, "name")
        yield from [given] if own else verifiers_of(_with_runtime(getattr(given, "verify", given)), name_of(given))


def _with_runtime(given: Any) -> Any:
    """Return a function of the code alone, for one that takes the runtime as well, as A1's `verify(code, agent)`."""
    name = takes_runtime(given) if callable(given) and not inspect.isclass(given) else ""
    return (lambda code: given(code, **{name: in_force.get()})) if name else given


def as_cost(given: Any) -> CostModel | None:
    """Return the cost model that a strategy's `cost` stands for, None without one; A1's kind prices by `compute`.

    Raises:
        BadSetting: it is nothing that can price code.
    """
    if given is None:
        return None
    if isinstance(given, Gauge):
        return CriterionCost(given)
    return as_cost_model(getattr(given, "compute", given), name_of(given))


def as_generator(given: Any, wanted: Specification | None, tries: int) -> Generator | None:
    """Return the generator that a strategy's `generate` stands for, with `tries` for each line; None without one.

    A function is asked for what is `wanted`, or where that is None for the function of the problem.

    Raises:
        BadSetting: it is nothing that can write code.
    """
    if given is None or hasattr(given, "open"):
        return cast("Generator | None", given)
    if callable(method := getattr(given, "generate", given)):
        return FunctionGenerator(method, name_of(given), wanted, tries)
    raise BadSetting(f"generate = {given!r} can write nothing; give a function of the specification, or a generator")


def name_of(given: Any) -> str:
    """Return the name by which users know something they gave."""
    return str(getattr(given, "name", None) or getattr(given, "__name__", None) or type(given).__name__)


class FunctionGenerator:
    """Writes candidates by a function of the specification, or of the problem, and of the failed attempts of its line.

    It returns code, that of the function alone or of a module with it, or why there is none as `Declined`; it may be a
    coroutine function. When it raises, or gives nothing that is code, that is one of the `tries` of its line, and it is
    asked again with that among the failed attempts. A third parameter called `context` gets the line so far as a
    conversation: what is wanted, and each failed attempt with what was wrong with it.
    """

    def __init__(self, function: Callable[..., Any], name: str, wanted: Specification | None, tries: int) -> None:
        self._function = function
        self._wanted = wanted
        self._tries = tries
        self.name = name

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Proposer]:
        """Start work on a problem; there is nothing to prepare."""
        say(f"asking {self.name}")
        yield _Proposing(self._function, self.name, self._wanted or problem, self._tries, problem)


@dataclass(frozen=True, slots=True)
class _Proposing:
    """A function at work; `fruitless` are by line the tries that gave no code, each with how many gave some before."""

    function: Callable[..., Any]
    name: str
    wanted: Specification | Problem
    tries: int
    problem: Problem
    fruitless: dict[int, list[tuple[int, Failed]]] = field(default_factory=dict)

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Ask the function until it gives code, as often as its line has tries left."""
        without = self.fruitless.setdefault(ask.slot, [])
        while True:
            said = await self._asked(self._past(ask))
            if isinstance(said, Declined):
                return replace(said, reason="; ".join([*(each.error for _, each in without), said.reason]))
            if isinstance(said, Proposal):
                return said
            without.append((len(ask.past), said))
            if len(ask.past) + len(without) >= self.tries:
                return Declined(reason="; ".join(each.error for _, each in without), for_all=False)

    async def _asked(self, past: tuple[Failed, ...]) -> Proposal | Declined | Failed:
        """Ask the function once."""
        try:
            said = await awaited(self.function(self.wanted, past, **self._context(past)))
        except CertoError:
            raise
        except Exception as error:  # noqa: BLE001 - the caller's own function; what it raised is told as the reason
            return Failed(code="", error=f"{self.name} raised {type(error).__name__}: {error}")
        if isinstance(said, Declined):
            return said
        if said is None:
            return Failed(code="", error=f"{self.name} gave no code and no reason")
        proposal = put_in(str(said), self.problem, self.name)
        return proposal if isinstance(proposal, Proposal) else Failed(code=str(said), error=proposal.reason)

    def _past(self, ask: Ask) -> tuple[Failed, ...]:
        """Return the failed attempts of a line in their order, those without code among them."""
        told = list(failed(ask.past, self.problem))
        for place, each in reversed(self.fruitless[ask.slot]):
            told.insert(place, each)
        return tuple(told)

    def _context(self, past: tuple[Failed, ...]) -> dict[str, tuple[Message, ...]]:
        """Return the line so far as a conversation, for a function that takes it."""
        try:
            wants = "context" in inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return {}
        wanted = self.wanted
        text = (
            wanted.description
            if isinstance(wanted, Specification)
            else wanted.text[wanted.target.span.start : wanted.target.span.end]
        )
        turns = [Message(role="user", text=text)]
        for each in past:
            turns += [Message(role="assistant", text=each.code)] if each.code else []
            turns.append(Message(role="user", text=each.error))
        return {"context": tuple(turns)} if wants else {}


def failed(past: Sequence[Attempt], problem: Problem) -> tuple[Failed, ...]:
    """Return the failed attempts of a line, in the words the next one is to answer."""
    told = []
    for attempt in past:
        verdict = attempt.report.failure
        lines = [finding.message for finding in verdict.findings] if verdict is not None else []
        error = f"{verdict.verifier}: {'; '.join(lines)}" if verdict is not None else ""
        if attempt.remark:
            error = "\n".join(filter(None, [error, attempt.remark]))
        told.append(Failed(code=code_of(attempt.candidate, problem), error=error))
    return tuple(told)


def put_in(text: str, problem: Problem, note: str) -> Proposal | Declined:
    """Return the edit that puts the wanted function's body, found in `text`, into the problem's function."""
    extracted = extract(text, problem.target.name)
    if extracted is None:
        return Declined(reason=f"{note} gave no code", for_all=False)
    placement = place_code(extracted, problem)
    if isinstance(placement, str):
        return Declined(reason=f"of what {note} gave, {placement}", for_all=False)
    return Proposal(edits=placement.edits, note=note)


async def awaited(value: Any) -> Any:
    """Return a value, or the result of an awaitable."""
    return await value if inspect.isawaitable(value) else value
