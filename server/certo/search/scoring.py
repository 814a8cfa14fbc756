"""Scores of candidates: certo's own progress score, or the numbers of the user's evaluator."""

from __future__ import annotations

import hashlib
import inspect
import logging
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import anyio

from certo.generation.generator import Attempt
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting, BudgetExhausted, EvaluationFailed
from certo.vocabulary.problem import Baseline, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence

TESTS_WEIGHT = 8.0
"""The weight of a verifier that runs tests; one that only reads has weight 1."""

_RUN_TESTS = frozenset({"doctests", "tests"})


def progress_score(report: Report, verifiers: Sequence[str], baseline: Baseline) -> Score:
    """Return the weighted share of its checks that a candidate passed, from 0 to 1; it is 1 only if it passes all.

    Each verifier has weight 1, those that run tests more; a verifier that failed the candidate counts with the share of
    its tests that passed all the same.
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
    """Return the share of tests that pass, averaged over those that failed and those that passed before."""
    if not evidence.failing and not evidence.unrun:
        return evidence.passed / evidence.collected if evidence.collected else 0.0
    # Fixing the failing tests weighs as much as keeping the passing ones, of which there are many: otherwise a change
    # that changes nothing would look nearly right. GenProg's fitness weighs them apart too (Weimer and others 2009).
    lost = {*evidence.failing, *evidence.unrun}
    kinds = [{test.id for test in tests} for tests in (baseline.failing, baseline.passing)]
    return _mean([_share(kind, lost) for kind in kinds if kind])


def _share(tests: Collection[str], lost: set[str]) -> float:
    return sum(test not in lost for test in tests) / len(tests)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0


SCORE = "score"
"""The key of the number that counts; all others are recorded beside it."""

FEEDBACK = "feedback"
"""The key of an evaluator's words about a candidate, which the next proposal reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """The user's evaluator by its `name`, and the `files` that its scores depend on: its own, and those it names."""

    name: str
    function: Callable[[Candidate, Problem], object]
    files: tuple[Path, ...]

    async def measure(self, candidate: Candidate, problem: Problem) -> tuple[dict[str, float], str]:
        """Return its numbers for a candidate by name, of which "score" is the score, and its words under "feedback".

        Raises:
            ValueError: it returned something else, or a number that is not finite.
            Exception: any exception of the evaluator itself.
        """
        said = self.function(candidate, problem)
        if inspect.isawaitable(said):
            said = await said
        numbers: Mapping[object, object] = said if isinstance(said, Mapping) else {SCORE: said}
        finite: dict[str, float] = {}
        words = ""
        if SCORE not in numbers:
            raise ValueError(f"it returned {said!r}, in which there is no {SCORE!r}")
        for name, number in numbers.items():
            if name == FEEDBACK and isinstance(number, str):
                words = number.strip()
                continue
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise ValueError(f"it returned {number!r} as {name!r}, which is no number")
            if not math.isfinite(number):
                raise ValueError(f"it returned {number} as {name!r}; only finite numbers count")
            finite[str(name)] = float(number)
        return finite, words


def as_evaluator(brought: object, name: str) -> Evaluator:
    """Return the evaluator made of a class or an object with `evaluate`, or of a function.

    `evaluate` gets the candidate and the problem, a function gets the whole text of the candidate's file. Both return,
    or return when awaited, a number or a mapping of names to numbers that has a "score"; it may have words for the next
    proposal as "feedback". Other files that the numbers
    depend on, such as test data, may be named in `files`.

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
    """Yield the files that an evaluator is written in: its module, and all others of its package."""
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
"""If an evaluator fails, either that is recorded and the score is unknown, or the search ends."""


class GuardedEvaluator:
    """Asks the user's evaluator for the scores of one search. Unknown scores are None, never 0.

    It is asked about each candidate that could be tried, passed or not; after a failure it is asked again for the next
    one. A score counts only while the hash of its files is unchanged, because a candidate that can change them can give
    itself any score.
    """

    def __init__(self, evaluator: Evaluator, *, maximize: bool, policy: Policy) -> None:
        self._evaluator = evaluator
        self._maximize = maximize
        self._policy: Policy = policy
        self._hash = ""
        self._told: set[str] = set()

    async def begin(self) -> None:
        """Hash the evaluator's files, before anything is tried.

        Raises:
            EvaluationFailed: one of them cannot be read.
        """
        self._hash = await self._hashed()

    async def score(self, attempt: Attempt, problem: Problem, say: Callable[[str], None]) -> Score | None:
        """Return the score of a candidate; None if it is not known, and then `say` gets the reason, each one once.

        Raises:
            EvaluationFailed: the evaluator failed, and its policy is "raise".
        """
        if not could_be_tried(attempt.report):
            return None
        name = self._evaluator.name
        try:
            numbers, words = await self._evaluator.measure(attempt.candidate, problem)
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
            remark=words,
        )

    async def _changed(self) -> bool:
        try:
            return await self._hashed() != self._hash
        except EvaluationFailed:
            return True

    async def _hashed(self) -> str:
        """Return one hash of the names and contents of all files."""
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
    """Return True if a candidate passed, or only failed tests: it could be tried to the end."""
    failure = report.failure
    return failure is None or (failure.tests is not None and failure.ruling is not Ruling.UNDECIDED)
