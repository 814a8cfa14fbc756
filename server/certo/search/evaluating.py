"""Having candidates evaluated: a score counts only as long as what it is measured by is what it was at the start."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import Literal

import anyio

from certo.generation.generator import Attempt
from certo.search.evaluator import SCORE, Evaluator
from certo.vocabulary.errors import BudgetExhausted, EvaluationFailed
from certo.vocabulary.problem import Problem
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling

log = logging.getLogger(__name__)

Policy = Literal["record", "raise"]
"""What becomes of an evaluator that fails: it is recorded and the score is unknown, or the search ends."""


class Evaluating:
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
