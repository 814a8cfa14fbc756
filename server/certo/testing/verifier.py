"""Contract of a verifier: pass good code, explain failures, and give the same verdict each time."""

from __future__ import annotations

from abc import ABC, abstractmethod

import anyio

from certo.testing.fixtures import awaited, candidate_with, problem_about
from certo.verification.plugged import as_verifiers
from certo.verification.verifier import Pipeline
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report, Ruling

_JUDGES = 4


class VerifierContract(ABC):
    """Tests for a verifier; a Test… subclass provides it, with code that passes and code that fails.

    `good` and `bad` are the code of the function `half(n)`, unless `problem` has another one.
    """

    good: str
    bad: str

    @abstractmethod
    def verifier(self) -> object:
        """Return the verifier under test, as a plug-in offers it: a function, a class, an object, or a list."""

    def problem(self) -> Problem:
        """Return the problem whose candidates it judges."""
        return problem_about()

    def test_it_passes_what_is_good(self) -> None:
        """Good code passes, whatever else the verifier reports."""
        report = awaited(lambda: self._report(self.good))
        assert report.passed, f"it does not pass the good code: {report.objecting}"

    def test_it_fails_what_is_bad_and_says_why(self) -> None:
        """A generator must learn what is wrong: a verdict without a finding is useless to it."""
        failure = awaited(lambda: self._report(self.bad)).failure
        assert failure is not None, "it passes the bad code"
        assert failure.ruling is Ruling.FAILED, f"it could not judge the bad code: {failure.findings}"
        assert all(finding.message.strip() for finding in failure.findings)
        assert failure.findings, "it does not say what is wrong"

    def test_it_says_the_same_each_time_and_to_several_at_once(self) -> None:
        """The same candidate gets the same ruling."""
        reports: list[Report] = []

        async def judge(code: str) -> None:
            reports.append(await self._report(code))

        async def judge_all() -> None:
            async with anyio.create_task_group() as group:
                for code in (self.good, self.bad) * _JUDGES:
                    group.start_soon(judge, code)

        awaited(judge_all)
        rulings = {(report.candidate_id, tuple(each.ruling for each in report.verdicts)) for report in reports}
        assert len(reports) == 2 * _JUDGES
        assert len(rulings) == 2, f"it judges the same code differently: {rulings}"

    async def _report(self, code: str) -> Report:
        problem = self.problem()
        pipeline = Pipeline(verifiers=as_verifiers(self.verifier(), "plugged"))
        report = await pipeline.judge(
            candidate_with(code, problem), problem, started=lambda _: None, reached=lambda _: None
        )
        assert all(verdict.verifier in pipeline.names for verdict in report.verdicts), "a verdict names its verifier"
        return report
