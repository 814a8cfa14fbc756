"""Judging a candidate by the pytest tests of the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from certo.criteria.together import at_once
from certo.verification.confirming import unconfirmed
from certo.verification.grounds import Grounds
from certo.verification.rerun import bounded, rerun
from certo.verification.running import Ground
from certo.verification.steadiness import Steadiness
from certo.verification.wavering import WAVERS
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class TestsVerifier:
    """Passes a candidate on which all pytest tests of the baseline are green, those that were red included.

    No candidate passes whose red tests turn green without it, or only sometimes with it, unless these are known to be
    `steady`; and none with which they, or its doctests, are red after other tests or under another order of sets.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    def __init__(self, grounds: Grounds, *, steady: bool = False) -> None:
        self._grounds = grounds
        self._steadiness = None if steady else Steadiness()

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "tests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        ground = await self._grounds.of(problem)
        known = tuple(test for test in problem.baseline.tests if not test.is_doctest)
        verdict = await rerun(self.name, "suite", ground, candidate, known)
        if verdict.ruling is not Ruling.PASSED or verdict.tests is None:
            return verdict
        wavering = partial(self._wavering, ground, candidate, problem, verdict.tests.seconds)
        doubts = await at_once([wavering, partial(unconfirmed, ground, candidate, problem)], lambda _: False)
        findings = next(filter(None, doubts.values()), None)
        return verdict if findings is None else replace(verdict, ruling=Ruling.FAILED, findings=bounded(findings))

    async def _wavering(self, ground: Ground, candidate: Candidate, problem: Problem, seconds: float) -> list[Finding]:
        if self._steadiness is None:
            return []
        wavering = await self._steadiness.wavering(ground, candidate, problem, seconds)
        return [Finding(message=f"{test} {WAVERS}, so it judges nothing") for test in sorted(wavering)]
