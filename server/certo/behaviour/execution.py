"""Execution of a compared candidate: its calls are recorded and made in a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.call_pool import KINDS, MAX_ITEMS, MAX_MESSAGES, CallPool, pool_of, pool_request
from certo.behaviour.outcome import CallOutcome, differ, outcome
from certo.behaviour.question import question_for
from certo.edits.definitions import Definition
from certo.edits.target import ByName, definition_of, find_target
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Executor, Interpreter, Limits, Message, Policy, Program, Work
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit

RECORDING = Program(home=BUILTIN_HOME, module="certo_builtin.differential.call_recorder")
TRYING = Program(home=BUILTIN_HOME, module="certo_builtin.differential.call_runner")

RECORDING_SECONDS = 30.0
TRYING_SECONDS = 30.0
"""Time limit of all calls of one run in seconds; on an idle machine they take one or two unless a call hangs."""

GRACE_SECONDS = 10.0
"""Additional seconds of a run for importing the project, before it is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """Outcomes of calls by number; None if they differed between the two times.

    `trouble` is the last line that the run printed, for the case that no call has an outcome.
    """

    outcomes: Mapping[int, CallOutcome | None]
    trouble: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCandidate:
    """One candidate and its sandbox. Candidates never share a run, so that none can affect another."""

    problem: Problem
    text: str
    target: Target
    definition: Definition
    executor: Executor
    interpreter: Interpreter

    async def pool(
        self, callee: Callee, seed: int, others: Sequence[ComparedCandidate] = (), most: int = MAX_ITEMS
    ) -> CallPool:
        """Run the tests and examples, and return their calls with calls made up, by the constants of `others` too.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        messages: list[Message] = []

        def hear(message: Message) -> None:
            if message.get("kind") in KINDS and len(messages) < MAX_MESSAGES:
                messages.append(message)

        texts = [(other.text, other.definition) for other in others]
        pool = pool_request(self.definition, self.problem.target.qualname, most=most, others=texts)
        request = question_for(self.problem, self.text, self.target, seconds=RECORDING_SECONDS, seed=seed, pool=pool)
        await self.run(RECORDING, request, RECORDING_SECONDS, hear)
        return pool_of(callee, messages)

    async def tried(self, calls: Sequence[RecordedCall], *, alone: bool = False) -> CallResult:
        """Make each call twice; with `alone`, each time in a fresh process. Raises the errors of `pool`."""
        outcomes: dict[int, CallOutcome | None] = {}

        def hear(message: Message) -> None:
            number = message.get("call")
            first, second = outcome(message.get("first")), outcome(message.get("second"))
            if isinstance(number, int) and 0 <= number < len(calls) and first is not None and second is not None:
                outcomes[number] = None if differ(first, second) else first

        request = {
            "root": str(self.problem.root),
            "path": self.problem.path,
            "text": self.text,
            "line": self.target.line,
            "name": self.target.name,
            "seconds": TRYING_SECONDS,
            "calls": [call.wire for call in calls],
            "alone": alone,
        }
        return CallResult(trouble=await self.run(TRYING, request, TRYING_SECONDS, hear), outcomes=outcomes)

    async def run(
        self, program: Program, request: Mapping[str, Any], seconds: float, hear: Callable[[Message], None]
    ) -> str:
        """Run a program with this candidate in place of its file; return the last line it printed.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        needed = Policy(self.problem.baseline.policy)
        finished = await self.executor.run(
            Work(
                program=program,
                request=request,
                interpreter=self.interpreter,
                root=self.problem.root,
                overlay={**self.problem.unsaved, self.problem.path: self.text},
                shown=self.problem.baseline_run.shown,
                hidden=self.problem.baseline_run.hidden,
                limits=Limits.within(seconds + GRACE_SECONDS),
                policy=Policy.FORKING if needed is Policy.STRICT else needed,
            ),
            hear,
        )
        return next(reversed(finished.printed.strip().splitlines()), finished.ending.value)


def compared_candidate(
    problem: Problem, text: str, executor: Executor, interpreter: Interpreter
) -> ComparedCandidate | None:
    """Return the sandboxed candidate for a version of the problem's document; None if it has no target."""
    try:
        target = find_target(text, ByName.of(problem.target), path=problem.path)
    except BadRequest:
        return None
    definition = definition_of(text, target)
    if definition is None:
        return None
    return ComparedCandidate(
        problem=problem, text=text, target=target, definition=definition, executor=executor, interpreter=interpreter
    )


ACTING = Program(home=BUILTIN_HOME, module="certo_builtin.differential.behaviour")

SECONDS = 15.0
"""Time limit of all calls; they take less than one second unless one hangs."""

Outcomes = tuple[CallOutcome | None, ...]
"""The outcome of each call, None if it was not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedOutcomes:
    """Outcomes of the calls in the original, in each version, and once more in the first version.

    Versions at the end are missing if time ran out.
    """

    before: Outcomes
    versions: tuple[Outcomes, ...]
    again: Outcomes


async def observe(
    side: ComparedCandidate,
    versions: Sequence[Sequence[TextEdit]],
    calls: Sequence[RecordedCall],
    *,
    alone: bool = False,
) -> ObservedOutcomes:
    """Make calls of every version, an edit of the candidate's text, in one run; with `alone`, each in a fresh process.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    told: dict[int, Outcomes] = {}
    again: list[Outcomes] = []

    def hear(message: Message) -> None:
        came, version = message.get("outcomes"), message.get("version")
        if not isinstance(came, list) or len(came) != len(calls):
            return
        outcomes = tuple(map(outcome, came))
        if isinstance(version, int):
            told[version] = outcomes
        else:
            again.append(outcomes)

    request = {
        "root": str(side.problem.root),
        "path": side.problem.path,
        "text": side.text,
        "line": side.target.line,
        "name": side.target.name,
        "seconds": SECONDS,
        "calls": [call.wire for call in calls],
        "alone": alone,
        "versions": [[[edit.span.start, edit.span.end, edit.replacement] for edit in edits] for edits in versions],
    }
    await side.run(ACTING, request, SECONDS, hear)
    nothing: Outcomes = (None,) * len(calls)
    whole = next((number for number in range(1, len(versions) + 1) if number not in told), len(versions) + 1)
    return ObservedOutcomes(
        before=told.get(0, nothing),
        versions=tuple(told[number] for number in range(1, whole)),
        again=again[0] if again else nothing,
    )
