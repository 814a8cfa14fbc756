"""Judging a candidate by the doctest examples of the baseline."""

from __future__ import annotations

from certo.verification.grounds import Grounds
from certo.verification.rerun import rerun
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class DoctestsVerifier:
    """Passes a candidate on which all doctest examples of the baseline are green, those that were red included."""

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
        return await rerun(self.name, "doctest_run", ground, candidate, known)
