"""How far a candidate got on the way to passing: what a search steers by where nothing better is measured."""

from __future__ import annotations

import hashlib
import inspect
import logging
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import anyio

from certo.generation.generator import Attempt
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting, BudgetExhausted, EvaluationFailed
from certo.vocabulary.problem import Baseline, Problem
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence

TESTS_WEIGHT = 8.0
"""What a verifier that runs tests counts for, where one that reads counts 1."""

_RUN_TESTS = frozenset({"doctests", "tests"})


def progress_score(report: Report, verifiers: Sequence[str], baseline: Baseline) -> Score:
    """The share of its checks that a candidate passed, from 0 to 1, and 1 only for one that passes all.

    Each verifier counts for 1 and those that run tests for more; one that failed a candidate counts for the share of
    its tests that were green all the same. Tests that were red before count for as much together as those that were
    green, lest a change that changes nothing look as if it were nearly right.
    """
    weights = {name: TESTS_WEIGHT if name in _RUN_TESTS else 1.0 for name in verifiers}
    reached = 0.0
    for verdict in report.verdicts:
        weight = weights.setdefault(verdict.verifier, 1.0)
        if verdict.ruling is Ruling.PASSED:
            reached += weight
        elif verdict.tests is not None:
            reached += weight * _green(verdict.tests, baseline)
    share = reached / sum(weights.values()) if weights else 0.0
    return Score(value=round(min(share, 1.0), 6), unit="of 1", source="share of the checks that it passed")


def _green(evidence: TestEvidence, baseline: Baseline) -> float:
    """The share of tests that are green, red ones of before and green ones of before each taken together."""
    if not evidence.failing and not evidence.unrun:
        return evidence.passed / evidence.collected if evidence.collected else 0.0
    lost = {*evidence.failing, *evidence.unrun}
    kinds = [{test.id for test in tests} for tests in (baseline.failing, baseline.passing)]
    return _mean([_share(kind, lost) for kind in kinds if kind])


def _share(tests: Collection[str], lost: set[str]) -> float:
    return sum(test not in lost for test in tests) / len(tests)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0


SCORE = "score"
"""The name of the number that counts; all others are recorded beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Somebody's evaluator by its `name`, and the `files` that what it says depends on: its own, and those it names."""

    name: str
    function: Callable[[Candidate, Problem], object]
    files: tuple[Path, ...]

    async def measure(self, candidate: Candidate, problem: Problem) -> dict[str, float]:
        """What it says of a candidate: numbers by their names, of which one is the score.

        Raises:
            ValueError: it returned no such thing, or a number that is not finite. Whatever else it raises.
        """
        said = self.function(candidate, problem)
        if inspect.isawaitable(said):
            said = await said
        numbers: Mapping[object, object] = said if isinstance(said, Mapping) else {SCORE: said}
        finite: dict[str, float] = {}
        if SCORE not in numbers:
            raise ValueError(f"it returned {said!r}, in which there is no {SCORE!r}")
        for name, number in numbers.items():
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise ValueError(f"it returned {number!r} as {name!r}, which is no number")
            if not math.isfinite(number):
                raise ValueError(f"it returned {number} as {name!r}; only finite numbers count")
            finite[str(name)] = float(number)
        return finite


def as_evaluator(brought: object, name: str) -> Evaluator:
    """The evaluator that something is: a class of one or one itself, with `evaluate`; or a function in its place.

    `evaluate` gets the candidate and the problem, a function the whole text of the file as the candidate has it. Both
    return a number, or a mapping of names to numbers with a "score" in it, now or when awaited. What else the numbers
    depend on, such as its test data, it may name as `files`.

    Raises:
        BadSetting: it is none of these.
    """
    made = brought() if inspect.isclass(brought) else brought
    evaluate = getattr(made, "evaluate", None)
    files = (*_own(made), *_named(made))
    if callable(evaluate):
        return Evaluator(name=name, function=evaluate, files=files)
    if not callable(made):
        raise BadSetting(
            f"the evaluator {name!r} is a {type(made).__name__}; it must be a function, or have evaluate()"
        )
    function = made
    return Evaluator(name=name, function=lambda candidate, _: function(candidate.text), files=files)


def _own(made: object) -> Iterator[Path]:
    """The files of what was brought: its module's, and all others of the package that it stands in."""
    name = getattr(made, "__module__", "")
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return
    here = Path(file)
    yield here
    if "." in name or here.name == "__init__.py":
        yield from sorted(path for path in here.parent.rglob("*.py") if path != here)


def _named(made: object) -> tuple[Path, ...]:
    files: Iterable[str | Path] = getattr(made, "files", ())
    return tuple(map(Path, files))


log = logging.getLogger(__name__)

Policy = Literal["record", "raise"]
"""What becomes of an evaluator that fails: it is recorded and the score is unknown, or the search ends."""


class GuardedEvaluator:
    """Asks one evaluator what candidates are worth, in one search. Unknown scores are None, and never 0.

    It is asked for each candidate that could be tried, passed or not. An evaluator that fails for one may not for the
    next. Files are compared by their hashes before each score counts: a candidate that could change what it is
    measured by could have any score.
    """

    def __init__(self, evaluator: Evaluator, *, maximize: bool, policy: Policy) -> None:
        self._evaluator = evaluator
        self._maximize = maximize
        self._policy: Policy = policy
        self._hash = ""
        self._told: set[str] = set()

    async def begin(self) -> None:
        """Take the hash of the evaluator's files, before anything is tried.

        Raises:
            EvaluationFailed: one of them cannot be read.
        """
        self._hash = await self._hashed()

    async def score(self, attempt: Attempt, problem: Problem, say: Callable[[str], None]) -> Score | None:
        """What a candidate is worth; None where that is not known, and `say` is told why, each thing once.

        Raises:
            EvaluationFailed: the evaluator failed, and that is to end the search.
        """
        if not could_be_tried(attempt.report):
            return None
        name = self._evaluator.name
        try:
            numbers = await self._evaluator.measure(attempt.candidate, problem)
        except BudgetExhausted:
            raise
        except Exception as error:
            log.warning("evaluator %s failed for candidate %s", name, attempt.candidate.id, exc_info=True)
            failure = f"the evaluator {name!r} failed: {type(error).__name__}: {error}"
            if self._policy == "raise":
                raise EvaluationFailed(f"{failure}; mend it, or set search.evaluator_policy to record") from error
            self._say(f"{failure}; the score of that candidate is not known", say)
            return None
        if await self._changed():
            self._say(f"files of the evaluator {name!r} have changed since the search began: scores do not count", say)
            return None
        return Score(
            value=numbers.pop(SCORE),
            unit="points",
            source=f"points by {name}",
            maximize=self._maximize,
            metrics=numbers,
        )

    async def _changed(self) -> bool:
        try:
            return await self._hashed() != self._hash
        except EvaluationFailed:
            return True

    async def _hashed(self) -> str:
        """One hash of the names and the content of all files."""
        found = hashlib.sha256()
        for file in self._evaluator.files:
            try:
                content = await anyio.Path(file).read_bytes()
            except OSError as error:
                raise EvaluationFailed(
                    f"the evaluator {self._evaluator.name!r} depends on {file}, which cannot be read: {error.strerror}"
                ) from error
            found.update(f"{file}\0{len(content)}\0".encode())
            found.update(content)
        return found.hexdigest()

    def _say(self, message: str, say: Callable[[str], None]) -> None:
        if message not in self._told:
            self._told.add(message)
            say(message)


def could_be_tried(report: Report) -> bool:
    """Whether nothing but the outcome of its tests, if anything, was wrong with a candidate."""
    failure = report.failure
    return failure is None or (failure.tests is not None and failure.ruling is not Ruling.UNDECIDED)
