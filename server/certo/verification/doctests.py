"""Judging a candidate by the doctest examples of the baseline."""

from __future__ import annotations

from dataclasses import replace

from certo.verification.confirming import unconfirmed
from certo.verification.grounds import Grounds
from certo.verification.rerun import bounded, rerun
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict


class DoctestsVerifier:
    """Passes a candidate on which all doctest examples of the baseline are green, those that were red included.

    Where these are all there is to judge by, none passes with which one is red under another order of sets.
    """

    def __init__(self, grounds: Grounds) -> None:
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
        findings = await unconfirmed(ground, candidate, problem)
        return replace(verdict, ruling=Ruling.FAILED, findings=bounded(findings)) if findings else verdict
