"""What the caller gives as generator, verifier or cost, as the parts a search is made of."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

from certo.api.specification import Specification
from certo.costs.criteria import CriterionCost
from certo.costs.model import CostModel
from certo.criteria.criterion import Gate, Gauge
from certo.generation.generator import Ask, Attempt, Declined, Generator, Proposal, Proposer
from certo.generation.model.extraction import extract
from certo.generation.model.grafting import graft
from certo.verification.criteria import CriterionVerifier
from certo.verification.verifier import Verifier
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.errors import BadSetting, CertoError
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failed attempt, for whoever writes the next one: the function's text, and what was found wrong with it."""

    code: str
    error: str


def function_text(candidate: Candidate, problem: Problem) -> str:
    """The text of the function that was wanted, as the candidate has it; this is what judges see."""
    span, grown = problem.target.span, len(candidate.text) - len(problem.text)
    return candidate.text[span.start : span.end + grown]


def as_verifiers(given: Any) -> tuple[Verifier, ...]:
    """The verifiers that a strategy's `verify` stands for, in its order.

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
    elif hasattr(given, "judge") and hasattr(given, "name"):
        yield given
    elif callable(method := getattr(given, "verify", given)):
        yield FunctionVerifier(method, name_of(given))
    else:
        raise BadSetting(
            f"verify = {given!r} can judge nothing; give a function of the code, a criterion or a verifier"
        )


def as_cost(given: Any) -> CostModel | None:
    """The cost model that a strategy's `cost` stands for; None where it says nothing.

    Raises:
        BadSetting: it is nothing that can price code.
    """
    if isinstance(given, Gauge):
        return CriterionCost(given)
    if given is None or hasattr(given, "price"):
        return cast("CostModel | None", given)
    if callable(method := getattr(given, "compute", given)):
        return FunctionCost(method, name_of(given))
    raise BadSetting(f"cost = {given!r} can price nothing; give a function of the code, a criterion or a cost")


def as_generator(given: Any, wanted: Specification) -> Generator | None:
    """The generator that a strategy's `generate` stands for; None where it says nothing.

    Raises:
        BadSetting: it is nothing that can write code.
    """
    if given is None or hasattr(given, "open"):
        return cast("Generator | None", given)
    if callable(method := getattr(given, "generate", given)):
        return FunctionGenerator(method, name_of(given), wanted)
    raise BadSetting(f"generate = {given!r} can write nothing; give a function of the specification, or a generator")


def name_of(given: Any) -> str:
    """What users call something they gave."""
    return str(getattr(given, "name", None) or getattr(given, "__name__", None) or type(given).__name__)


class FunctionVerifier:
    """Judges by a function of the code that returns whether it passes, or that and a message; it may be a coroutine's.

    A function that fails has not judged, and says so; the other candidates go on.
    """

    def __init__(self, function: Callable[[str], Any], name: str) -> None:
        self._function = function
        self.name = name

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Ask the function about the text of the target."""
        try:
            said = await awaited(self._function(function_text(candidate, problem)))
        except CertoError:
            raise
        except Exception as error:  # noqa: BLE001 - the caller's own function; what it raised is told as a finding
            finding = Finding(message=f"{self.name} raised {type(error).__name__}: {error}")
            return Verdict(verifier=self.name, ruling=Ruling.UNDECIDED, findings=(finding,))
        passed, message = said if isinstance(said, tuple) else (said, None)
        if passed:
            return Verdict(verifier=self.name, ruling=Ruling.PASSED)
        message = message or f"{self.name} refuses the code"
        return Verdict(verifier=self.name, ruling=Ruling.FAILED, findings=(Finding(message=str(message)),))


class FunctionCost:
    """Prices by a function of the code that returns a number, lower is better; it may be a coroutine's.

    What it raises, and a number that is none, are for the search to deal with: it ranks that candidate last.
    """

    def __init__(self, function: Callable[[str], Any], name: str) -> None:
        self._function = function
        self._name = name

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Ask the function about the text of the target."""
        value = float(await awaited(self._function(function_text(candidate, problem))))
        return Cost(value=value, unit="points", source=self._name)


class FunctionGenerator:
    """Writes candidates by a function of the specification and of the failed attempts of its line.

    It returns code, that of the function alone or of a module with it, or why there is none as `Declined`; it may be a
    coroutine function.
    """

    def __init__(self, function: Callable[..., Any], name: str, wanted: Specification) -> None:
        self._function = function
        self._wanted = wanted
        self.name = name

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Proposer]:
        """Start work on a problem; there is nothing to prepare."""
        say(f"asking {self.name}")
        yield _Proposing(self._function, self.name, self._wanted, problem)


@dataclass(frozen=True, slots=True)
class _Proposing:
    function: Callable[..., Any]
    name: str
    wanted: Specification
    problem: Problem

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Ask the function once."""
        try:
            said = await awaited(self.function(self.wanted, failed(ask.past, self.problem)))
        except CertoError:
            raise
        except Exception as error:  # noqa: BLE001 - the caller's own function; what it raised is told as the reason
            return Declined(reason=f"{self.name} raised {type(error).__name__}: {error}")
        if isinstance(said, Declined):
            return said
        if said is None:
            return Declined(reason=f"{self.name} gave no code and no reason")
        return put_in(str(said), self.problem, self.name)


def failed(past: Sequence[Attempt], problem: Problem) -> tuple[Failed, ...]:
    """The failed attempts of a line, in the words the next one is to answer."""
    told = []
    for attempt in past:
        verdict = attempt.report.failure
        lines = [finding.message for finding in verdict.findings] if verdict is not None else []
        error = f"{verdict.verifier}: {'; '.join(lines)}" if verdict is not None else ""
        told.append(Failed(code=function_text(attempt.candidate, problem), error=error))
    return tuple(told)


def put_in(text: str, problem: Problem, note: str) -> Proposal | Declined:
    """The body of the wanted function in some code, as the edit that puts it into the problem's own function."""
    extracted = extract(text, problem.target.name)
    if extracted is None:
        return Declined(reason=f"{note} gave no code", for_all=False)
    grafted = graft(extracted, problem)
    if isinstance(grafted, str):
        return Declined(reason=f"of what {note} gave, {grafted}", for_all=False)
    return Proposal(edits=grafted.edits, note=note)


async def awaited(value: Any) -> Any:
    """A value, or what an awaitable comes to."""
    return await value if inspect.isawaitable(value) else value
