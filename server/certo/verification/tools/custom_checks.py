"""Verifier for the user's own checks: functions named in the settings, run in the sandbox."""

from __future__ import annotations

from dataclasses import field

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Ending, Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.verification.plugged import code_of
from certo.verification.static.text_verdict import too_large
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting, BrokenWorld
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Ruling, Verdict

_GRACE = 5.0
"""Additional seconds for the start and end of a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomVerifier:
    """Passes a candidate that passes every check; they run in order up to the first failure.

    A check is `module:function`, importable by the project's own code. It gets the target's code as a string and
    returns True if that passes, or that and a message; it may be a coroutine function. It is the project's code, so it
    runs where candidates do, for at most `seconds` of processor time; nothing of the candidate is imported there.
    """

    executor: Executor
    interpreter: Interpreter
    checks: tuple[str, ...]
    seconds: float

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return "custom"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem.

        Raises:
            BadSetting: A check is not where the settings say.
            BrokenWorld: Nothing can be run at all.
        """
        if unread := too_large(candidate):
            return Verdict(verifier=self.name, ruling=Ruling.FAILED, findings=unread)
        heard, finished = await self._hear(problem, code_of(candidate, problem))
        undecided = heard.raised or self._incomplete(heard, finished)
        if heard.refused or undecided:
            ruling = Ruling.FAILED if heard.refused else Ruling.UNDECIDED
            return Verdict(verifier=self.name, ruling=ruling, findings=(Finding(message=heard.refused or undecided),))
        return Verdict(verifier=self.name, ruling=Ruling.PASSED)

    async def find(self, problem: Problem) -> None:
        """Check that all checks exist, before anything is judged by them.

        Raises:
            BadSetting: One is not where the settings say.
            BrokenWorld: One cannot be imported, or nothing can be run at all.
        """
        _, finished = await self._hear(problem, None)
        if not finished.complete:
            raise BrokenWorld(f"the checks of verify.custom cannot be imported: their run {finished.ending.value}")

    async def _hear(self, problem: Problem, code: str | None) -> tuple[_CustomCheckReplies, Finished]:
        heard = _CustomCheckReplies()
        finished = await self.executor.run(self._work(problem, code), heard)
        if heard.absent:
            raise BadSetting(f"verify.custom: {heard.absent}; name a function of the project as module:function")
        return heard, finished

    def _work(self, problem: Problem, code: str | None) -> Work:
        most = self.seconds + _GRACE
        return Work(
            program=Program(home=WORKER_HOME, module="certo_worker.tools.custom_checks"),
            request={"checks": list(self.checks), "code": code},
            interpreter=self.interpreter,
            root=problem.root,
            # The checks see the project as the user does, with unsaved changes.
            overlay={**problem.unsaved, problem.path: problem.text},
            unprotected=(problem.path, *problem.unsaved),
            shown=problem.baseline_run.shown,
            hidden=problem.baseline_run.hidden,
            limits=Limits.within(most),
        )

    def _incomplete(self, heard: _CustomCheckReplies, finished: Finished) -> str:
        """Return why some checks have not replied, or nothing if all have."""
        if finished.ending is Ending.CPU:
            return f"the checks of verify.custom took longer than verify.seconds, {self.seconds:g} s"
        if finished.ending is Ending.WALL:
            return f"the checks of verify.custom did not end: their run {finished.words}"
        if heard.nonsense or not finished.complete or heard.passed != list(self.checks):
            return f"the checks of verify.custom did not all speak: their run {finished.ending.value}"
        return ""


@dataclass(slots=True)
class _CustomCheckReplies:
    """The replies of custom checks so far; called with each message."""

    passed: list[str] = field(default_factory=list)
    refused: str = ""
    raised: str = ""
    absent: str = ""
    nonsense: bool = False

    def __call__(self, message: Message) -> None:
        """Store one message; a malformed one is only noted, because the checks run in the sender's process."""
        try:
            check, said = str(message["check"]), str(message["message"])
            match message["kind"]:
                case "said" if message["passed"] is True:
                    self.passed.append(check)
                case "said":
                    self.refused = f"{check}: {said}" if said else f"{check} refuses the code"
                case "raised":
                    self.raised = f"{check} could not judge: {said}"
                case "absent":
                    self.absent = f"{check} cannot be had: {said}"
                case _:
                    self.nonsense = True
        except (KeyError, TypeError):
            self.nonsense = True
