"""Run of the guest program that makes mutants of a target and runs its tests on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError

from certo.behaviour.call_pool import MAX_MESSAGES, pool_request
from certo.behaviour.execution import ComparedCandidate
from certo.behaviour.question import question_for
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Message, Program
from certo.vocabulary.records import dataclass
from certo.vocabulary.strength import UnusedTest
from certo.vocabulary.text import Span, TextEdit

PROGRAM = Program(home=BUILTIN_HOME, module="certo_builtin.strength.strength")

MAX_CALLS = 480
"""Number of usual calls that are made up, to show that a mutant matters."""

MAX_TYPES = 20
"""Maximum number of types of arguments that are named."""

MAX_CHARACTERS = 1000
"""Maximum length of a text that is passed on: its sender shares a process with the user's code."""

MAX_STEPS = 400_000_000
"""Steps of the code under test in one run: a backstop that does not depend on the machine."""

_WHY = {
    "fails": "it fails when it runs in one process with the others",
    "wavers": "it passes at times and fails at times",
    "slow": "it takes too long to run on every change",
    "absent": "it can only run by itself",
}


class _MutantMessage(BaseModel, strict=True, defer_build=True):
    """The program's message about a mutant: each edit is its start, its end, and the new text."""

    kind: Literal["mutant"]
    edits: list[Annotated[tuple[int, int, str], Field(strict=False)]] = Field(min_length=1, max_length=20)
    template: str = Field(max_length=100)
    line: int
    result: Literal["noticed", "unnoticed", "endless"]
    test: str = Field(max_length=MAX_CHARACTERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMutant:
    """A mutant and its result: `edits` apply to the text that was judged; `test` is the one that noticed it."""

    edits: tuple[TextEdit, ...]
    kind: str
    line: int
    result: Literal["noticed", "unnoticed", "endless"]
    test: str


@dataclass(slots=True)
class MutationRun:
    """Messages of one run, as far as they are well-formed: the program shares its process with the user's code.

    `unwritten` are the types of arguments in the tests' calls that no expression can make.
    """

    span: Span
    budget: int
    progress: Callable[[int, int], None]
    mutants: list[JudgedMutant] = field(default_factory=list)
    unused: list[UnusedTest] = field(default_factory=list)
    calls: list[Message] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)
    possible: int = 0
    reason: str | None = None

    def hear(self, message: Message) -> None:
        """Take one message."""
        match message:
            case {"kind": "mutant"}:
                self._add(message)
            case {"kind": "made", "number": int(number)} if 0 <= number <= 1_000_000:
                self.possible = number
            case {"kind": "aside", "test": str(test), "reason": str(reason)} if reason in _WHY:
                self.unused.append(UnusedTest(id=test[:MAX_CHARACTERS], why=_WHY[reason]))
            case {"kind": "call" | "made up"} if len(self.calls) < MAX_MESSAGES:
                self.calls.append(message)
            case {"kind": "unwritten", "names": list(types)}:
                named = [name[:MAX_CHARACTERS] for name in types[:MAX_TYPES] if isinstance(name, str)]
                self.unwritten.extend(named)
            case {"kind": "done", "reason": str(reason)}:
                self.reason = reason[:MAX_CHARACTERS]

    def _add(self, message: Message) -> None:
        try:
            told = _MutantMessage.model_validate(message)
            edits = tuple(sorted(TextEdit(Span(start, end), text) for start, end, text in told.edits))
        except (ValidationError, ValueError):
            return
        if len(self.mutants) >= self.budget or not all(self.span.contains(edit.span) for edit in edits):
            return
        self.mutants.append(
            JudgedMutant(edits=edits, kind=told.template, line=told.line, result=told.result, test=told.test)
        )
        self.progress(len(self.mutants), min(self.budget, max(self.possible, len(self.mutants))))


async def judge_mutants(
    side: ComparedCandidate,
    tests: Sequence[str],
    *,
    mutants: int,
    seconds: float,
    seed: int,
    changed: Collection[int] = (),
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> MutationRun:
    """Make at most `mutants` mutants of the target, run its `tests` on each, and return the results.

    Mutants of the lines `changed` come first. `progress` is told how many mutants have results, and of how many.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    run = MutationRun(side.target.span, mutants, progress)
    pool = pool_request(side.definition, side.problem.target.qualname, most=MAX_CALLS)
    request = {
        **question_for(side.problem, side.text, side.target, seconds=seconds, seed=seed, pool=pool),
        "failing": [],
        "passing": list(tests),
        "steps": MAX_STEPS,
        "candidates": mutants,
        "changed": sorted(changed),
    }
    printed = await side.run(PROGRAM, request, seconds, run.hear)
    if run.reason is None and not run.mutants:
        run.reason = f"its tests could not be run on changes of it: {printed[:MAX_CHARACTERS]}"
    return run
