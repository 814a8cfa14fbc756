"""Tests that were left out of a baseline because no name in them leads to the target, run on the text as it is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import anyio

from certo.sandbox.executor import Finished
from certo.verification.dynamic.confirmation import remaining_tests
from certo.verification.dynamic.harness import Harness, Selection
from certo.verification.dynamic.harness_source import HarnessSource, run_remaining, said_of_untried
from certo.verification.dynamic.rerun import bounded
from certo.verification.dynamic.results import RunResults, how_it_ended, is_whole_so_far, reaching_samples, untried
from certo.verification.dynamic.test_map import KnownTests
from certo.verification.dynamic.warm_pool import files_of
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class RemainingTests:
    """Passes a text as it is unless a test left out of the baseline fails on it because of the target.

    They may have begun beside the baseline, in a copy of the prepared process. If one fails there because of the
    target, a fresh process decides.
    """

    def __init__(self, harnesses: HarnessSource, known_tests: KnownTests | None = None) -> None:
        """Run them in these harnesses, and record them in the test map if there is one."""
        self._harnesses = harnesses
        self._map = known_tests
        self._early: Harness | None = None
        self._ended = anyio.Event()
        self._results = RunResults()
        self._is_usable = False

    @property
    def name(self) -> str:
        """One word, as shown to the user: its findings are those of the tests."""
        return "tests"

    async def begin(self, warm: Harness) -> None:
        """Find the tests and run them, while the baseline is taken in the same harness."""
        self._early = warm
        selection = Selection(paths=None, skip=(*warm.known, *warm.unreached), sampled=True, plain=True)
        try:
            # The baseline raises this error too.
            with suppress(BrokenWorld):
                finished = await run_remaining(
                    "remaining", warm, warm.base, selection, self._results, known_tests=self._map
                )
                self._is_usable = is_whole_so_far(self._results, finished)
        finally:
            self._ended.set()

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge the text of a problem, given as a candidate that changes nothing.

        Raises:
            BrokenWorld: Nothing can be run at all.
        """
        findings: list[Finding] = []
        missed = 0
        rest = problem.baseline_run.rest
        if rest and self._is_begun_for(problem):
            await self._ended.wait()
            if self._is_usable and set(rest) <= set(self._results.paths):
                missed = len(untried(self._results))
                rest = files_of((*_failing(self._results, problem), *reaching_samples(self._results)))
        if rest:
            results = RunResults()
            harness = (await self._harnesses.of(problem)).fresh
            selection = Selection(paths=rest)
            finished = await run_remaining("suite", harness, candidate.text, selection, results, known_tests=self._map)
            findings = [Finding(message=f"{name}: {said}") for name, said in _failing(results, problem).items()]
            if not findings and not finished.complete and (results.running is not None or not results.stopped):
                return self._verdict(Ruling.UNDECIDED, [Finding(message=_how_it_ended(results, finished))])
            missed = missed or len(untried(results))
        return self._verdict(Ruling.FAILED if findings else Ruling.PASSED, findings or said_of_untried(missed))

    def _verdict(self, ruling: Ruling, findings: Sequence[Finding]) -> Verdict:
        return Verdict(verifier=self.name, ruling=ruling, findings=bounded([*findings]))

    def _is_begun_for(self, problem: Problem) -> bool:
        """True if the tests have begun under the conditions that those of the problem turned out to need."""
        if self._early is None:
            return False
        ours = self._early.policy.value, self._early.shown, self._early.hidden
        return ours == (problem.baseline.policy, problem.baseline_run.shown, problem.baseline_run.hidden)


def _how_it_ended(results: RunResults, finished: Finished) -> str:
    """Return how a run was ended before its end, so that the tests that did not get their turn have no result."""
    if results.running is None:
        return f"the run of the tests that no name leads to {how_it_ended(finished)}"
    how = results.how_it_was_killed(finished)
    return f"{results.running} {how}, and the tests after it did not run"


def _failing(results: RunResults, problem: Problem) -> dict[str, str]:
    """Return the messages of the tests that fail because of the target, by id."""
    red = {name: case for name, case in results.tests.items() if case.ruling is Ruling.FAILED}
    return {name: case.message for name, case in remaining_tests(red, problem).items() if case.is_attributable}
