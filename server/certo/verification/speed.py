"""The verifier that measures how much faster a candidate is than the text, and first compares what both do."""

from __future__ import annotations

from collections.abc import Sequence

from certo.behaviour.speed_measurement import SpeedMeasurement, find_workload, holds_against, measure
from certo.behaviour.speed_statistics import AT_LEAST, SpeedDecision
from certo.behaviour.subject import Subject, subject_of
from certo.behaviour.version_comparison import compare_versions
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class SpeedVerifier:
    """Passes a candidate that is faster with 99 % confidence and shows no difference on the calls compared."""

    def __init__(self, executor: Executor, interpreter: Interpreter) -> None:
        self._executor = executor
        self._interpreter = interpreter

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "speed"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        if candidate.elsewhere:
            return self._undecided("it changes other files too, so the function alone cannot be measured")
        subject = subject_of(problem, self._executor, self._interpreter)
        different = await self._difference(subject, candidate.edits)
        if different is not None:
            return different
        workload = await find_workload(subject, [candidate.edits])
        if workload.trouble:
            return self._undecided(workload.trouble)
        [trial] = workload.trials
        if trial is None:
            return self._failed("its calls did not come back when they were made larger")
        if trial.reason:
            return self._failed(trial.reason)
        return self._verdict(await measure(subject, candidate.edits, workload))

    async def _difference(self, subject: Subject, edits: Sequence[TextEdit]) -> Verdict | None:
        """Return the verdict on a candidate that acts otherwise, or could not be compared."""
        compared = await compare_versions(subject, [edits])
        if compared.trouble or not compared.versions or not compared.versions[0].compared:
            return self._undecided(compared.trouble or "no call of it could be compared")
        differences = [one for one in compared.versions[0].differences if holds_against(one)]
        if not differences:
            return None
        said = [f"{one.call} gave {one.before}, now gives {one.now}" for one in differences[:3]]
        return self._failed(*said)

    def _verdict(self, measured: SpeedMeasurement) -> Verdict:
        if measured.speed is None:
            return self._undecided(measured.trouble)
        if measured.finding is SpeedDecision.FASTER:
            return Verdict(verifier=self.name, ruling=Ruling.PASSED, speed=measured.speed)
        speed = measured.speed
        said = f"{measured.finding.value}: {speed.ratio:.2f} times, at least {speed.low:.2f} with 99 % confidence"
        needed = f" in {speed.rounds} rounds; {AT_LEAST:.2f} is needed"
        return Verdict(
            verifier=self.name, ruling=Ruling.FAILED, findings=(Finding(message=said + needed),), speed=speed
        )

    def _failed(self, *messages: str) -> Verdict:
        findings = tuple(Finding(message=message) for message in messages)
        return Verdict(verifier=self.name, ruling=Ruling.FAILED, findings=findings)

    def _undecided(self, message: str) -> Verdict:
        return Verdict(verifier=self.name, ruling=Ruling.UNDECIDED, findings=(Finding(message=message),))
