"""The verifiers that rerun the tests of the baseline on a candidate: one for pytest tests, one for doctests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from certo.concurrency import gather_until
from certo.verification.dynamic.confirmation import Confirmation, confirm
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import HarnessSource, said_of_untried
from certo.verification.dynamic.rerun import bounded, rerun
from certo.verification.verifier import StepwiseVerifier
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import FLAKY, Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class TestsVerifier(StepwiseVerifier):
    """Passes a candidate with which all pytest tests of the baseline pass, including those that failed before.

    A candidate fails if the failing tests are flaky, with it or without it, unless they are known to be `steady`. It
    also fails if its tests or doctests fail after other tests, or with another hash seed, time zone or locale.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    def __init__(self, harnesses: HarnessSource, *, steady: bool = False) -> None:
        self._harnesses = harnesses
        self._steady = steady

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "tests"

    async def judge_in_steps(
        self, candidate: Candidate, problem: Problem, passed_once: Callable[[], None], /
    ) -> Verdict:
        """Judge one candidate for one problem; `passed_once` is called when all tests have passed once.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        harness = await self._harnesses.of(problem)
        known = tuple(test for test in problem.baseline.tests if not test.is_doctest)
        set_aside = problem.baseline.set_aside
        verdict = await rerun(self.name, "suite", harness, candidate, known, set_aside=set_aside)
        if verdict.ruling is not Ruling.PASSED or verdict.tests is None:
            return verdict
        passed_once()
        flaky = partial(self._flaky_tests, harness, candidate, problem, verdict.tests.seconds)
        others = partial(confirm, self._harnesses, candidate, problem)
        doubts = await gather_until([flaky, others], lambda _: False)
        doubted = next(filter(None, doubts.values()), None)
        if doubted is not None:
            return replace(verdict, ruling=Ruling.FAILED, findings=bounded([*doubted.findings]))
        return replace(verdict, findings=said_of_untried(sum(each.untried for each in doubts.values())))

    async def _flaky_tests(
        self, harness: Harness, candidate: Candidate, problem: Problem, seconds: float
    ) -> Confirmation:
        if self._steady:
            return Confirmation()
        flaky = await self._harnesses.flakiness.flaky(harness, candidate, problem, seconds)
        said = (Finding(message=f"{test} {FLAKY}, so its result does not count") for test in sorted(flaky))
        return Confirmation(tuple(said))


class DoctestsVerifier(StepwiseVerifier):
    """Passes a candidate with which all doctest examples of the baseline pass, including those that failed before.

    If there are no other tests, the examples must also pass with another hash seed, time zone and locale.
    """

    def __init__(self, harnesses: HarnessSource) -> None:
        self._harnesses = harnesses

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "doctests"

    async def judge_in_steps(
        self, candidate: Candidate, problem: Problem, passed_once: Callable[[], None], /
    ) -> Verdict:
        """Judge one candidate for one problem; without other tests, `passed_once` is called when the examples pass.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        harness = await self._harnesses.of(problem)
        known = tuple(test for test in problem.baseline.tests if test.is_doctest)
        verdict = await rerun(self.name, "doctest_run", harness, candidate, known)
        # If there are pytest tests as well, their verifier runs both kinds under the other conditions.
        if verdict.ruling is not Ruling.PASSED or len(known) < len(problem.baseline.tests):
            return verdict
        passed_once()
        doubted = await confirm(self._harnesses, candidate, problem)
        if doubted:
            return replace(verdict, ruling=Ruling.FAILED, findings=bounded([*doubted.findings]))
        return replace(verdict, findings=said_of_untried(doubted.untried))
