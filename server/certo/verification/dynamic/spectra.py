"""Running tests to see which lines of the project each executes, and where in it each fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Policy, Program, Work
from certo.verification.dynamic.harness import GRACE
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.verification.file_rules import judging_files
from certo.verification.options import TestOptions

Lines: TypeAlias = Mapping[str, frozenset[int]]
"""Lines, from 1, by the file they stand in, which is seen from the project's root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectrum:
    """How one test stood, the `lines` it executed, and where in the project it failed, the innermost frame first."""

    told: CaseResult
    lines: Lines
    frames: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class Spectra:
    """The tests of one run; called with each message, of which `hearing` has all but what is told of lines."""

    hearing: RunResults = field(default_factory=RunResults)
    tests: dict[str, Spectrum] = field(default_factory=dict)

    def __call__(self, message: Message) -> None:
        """Take in one message; what tests forge must not break us."""
        self.hearing(message)
        told = self.hearing.tests.get(str(message.get("id"))) if message.get("kind") == "test" else None
        if told is not None:
            try:
                self.tests[told.id] = Spectrum(
                    told=told, lines=_lines(message["lines"]), frames=_frames(message.get("frames", ()))
                )
            except (KeyError, TypeError, ValueError, AttributeError):
                self.hearing.nonsense += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where tests run to be looked at: a project with the texts of its editor in place of those files."""

    root: Path
    texts: Mapping[str, str]
    interpreter: Interpreter
    executor: Executor
    options: TestOptions
    policy: Policy = Policy.STRICT


async def run_spectra(
    stage: Stage,
    tests: Sequence[str],
    spectra: Spectra,
    *,
    skip: Sequence[str] = (),
    within: Lines | None = None,
    seconds: float,
) -> Finished:
    """Run `tests`, files or node ids, but for the ids in `skip`, for about `seconds`; see lines `within` these alone.

    Raises:
        BrokenWorld: nothing can be run at all.
    """
    most = seconds + 2 * stage.options.seconds + GRACE
    request = {
        "root": str(stage.root),
        "paths": list(tests),
        "skip": list(skip),
        "within": None if within is None else {file: sorted(lines) for file, lines in within.items()},
        "seconds": stage.options.seconds,
        "total": seconds,
    }
    work = Work(
        program=Program(home=WORKER_HOME, module="certo_worker.suite.fault_localization"),
        request=request,
        interpreter=stage.interpreter,
        root=stage.root,
        overlay=stage.texts,
        protected=judging_files(stage.root, tests, stage.interpreter.readable),
        unprotected=tuple(stage.texts),
        limits=Limits.within(most),
        policy=stage.policy,
    )
    return await stage.executor.run(work, spectra)


def _lines(told: Any) -> Lines:
    return {str(file): frozenset(int(number) for number in numbers) for file, numbers in told.items()}


def _frames(told: Any) -> tuple[tuple[str, int], ...]:
    return tuple((str(file), int(line)) for file, line in told)
