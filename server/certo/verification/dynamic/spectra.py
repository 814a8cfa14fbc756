"""Spectra of tests: the lines of the project that each executes, and the frames in which it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Policy, Program, Work
from certo.verification.dynamic.harness import GRACE
from certo.verification.dynamic.results import CaseResult, RunResults
from certo.verification.file_rules import judging_files
from certo.verification.options import TestOptions
from certo.vocabulary.records import dataclass

Lines: TypeAlias = Mapping[str, frozenset[int]]
"""1-based lines by file, which is relative to the project's root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectrum:
    """The result of one test, the lines it executed, and the frames in which it failed, innermost first."""

    told: CaseResult
    lines: Lines
    frames: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class Spectra:
    """The tests of one run; called with each message, of which `results` keeps all but the lines."""

    results: RunResults = field(default_factory=RunResults)
    tests: dict[str, Spectrum] = field(default_factory=dict)

    def __call__(self, message: Message) -> None:
        """Store one message; a malformed one, which a test may have forged, is only counted."""
        self.results(message)
        told = self.results.tests.get(str(message.get("id"))) if message.get("kind") == "test" else None
        if told is not None:
            try:
                self.tests[told.id] = Spectrum(
                    told=told, lines=_lines(message["lines"]), frames=_frames(message.get("frames", ()))
                )
            except (KeyError, TypeError, ValueError, AttributeError):
                self.results.nonsense += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The place where tests run for their spectra: a project, with the editor's texts instead of the files."""

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
    """Run `tests`, files or node ids, except those in `skip`, for about `seconds`; trace only lines `within` these.

    Raises:
        BrokenWorld: Nothing can be run at all.
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
