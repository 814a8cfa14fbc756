"""The verifier that measures how much faster a candidate is than the text."""

from __future__ import annotations

from certo.behaviour.speed_measurement import SpeedMeasurement, find_workload, measure
from certo.behaviour.speed_statistics import AT_LEAST, SpeedDecision
from certo.behaviour.subject import subject_of
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


class SpeedVerifier:
    """Passes a candidate that is at least 1.05 times as fast with 99 % confidence, on calls that grow.

    It says nothing of what the candidate does; let `EquivalenceVerifier` judge before. The verdict has the `speed`.
    """

    def __init__(self, executor: Executor, interpreter: Interpreter) -> None:
        """Measure on `executor` under `interpreter`, which is the project's."""
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
        workload = await find_workload(subject, [candidate.edits])
        if workload.trouble:
            return self._undecided(workload.trouble)
        [trial] = workload.trials
        if trial is None:
            return self._failed("its calls did not come back when they were made larger")
        if trial.reason:
            return self._failed(trial.reason)
        return self._verdict(await measure(subject, candidate.edits, workload))

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
