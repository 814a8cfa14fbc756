"""Judging a candidate by the pytest tests of the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from certo.concurrency import gather_until
from certo.verification.dynamic.flaky import FlakinessCheck, order_dependent_failures
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import HarnessSource
from certo.verification.dynamic.rerun import bounded, rerun
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import FLAKY, Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class TestsVerifier:
    """Passes a candidate on which all pytest tests of the baseline are green, those that were red included.

    No candidate passes whose red tests turn green without it, or only sometimes with it, unless these are known to be
    `steady`; and none with which they, or its doctests, are red after other tests or under another order of sets.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    def __init__(self, grounds: HarnessSource, *, steady: bool = False) -> None:
        self._grounds = grounds
        self._steadiness = None if steady else FlakinessCheck()

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
        doubts = await gather_until(
            [wavering, partial(order_dependent_failures, ground, candidate, problem)], lambda _: False
        )
        findings = next(filter(None, doubts.values()), None)
        return verdict if findings is None else replace(verdict, ruling=Ruling.FAILED, findings=bounded(findings))

    async def _wavering(self, ground: Harness, candidate: Candidate, problem: Problem, seconds: float) -> list[Finding]:
        if self._steadiness is None:
            return []
        wavering = await self._steadiness.wavering(ground, candidate, problem, seconds)
        return [Finding(message=f"{test} {FLAKY}, so it judges nothing") for test in sorted(wavering)]


class DoctestsVerifier:
    """Passes a candidate on which all doctest examples of the baseline are green, those that were red included.

    Where these are all there is to judge by, none passes with which one is red under another order of sets.
    """

    def __init__(self, grounds: HarnessSource) -> None:
        self._grounds = grounds

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "doctests"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        ground = await self._grounds.of(problem)
        known = tuple(test for test in problem.baseline.tests if test.is_doctest)
        verdict = await rerun(self.name, "doctest_run", ground, candidate, known)
        # Where there are tests too, those that pass them are asked about both at once.
        if verdict.ruling is not Ruling.PASSED or len(known) < len(problem.baseline.tests):
            return verdict
        findings = await order_dependent_failures(ground, candidate, problem)
        return replace(verdict, ruling=Ruling.FAILED, findings=bounded(findings)) if findings else verdict
