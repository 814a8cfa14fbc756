"""Small projects on disk, with the parts that a test needs to run their tests for real."""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from certo.concurrency import background_tasks
from certo.edits.target import ByName, find_target
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.baseline import BaselineRequest, take_baseline
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import FreshHarnesses, HarnessSource, warm_harnesses
from certo.verification.dynamic.warm_pool import WarmPool
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.guidance import UNGUIDED, Guidance
from certo.vocabulary.problem import Baseline, BaselineRun, Goal, Problem, Target
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter


def write_project(root: Path, files: Mapping[str, str]) -> Path:
    """Write files by path relative to `root`, their texts dedented, newlines kept as they are."""
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(dedent(text).encode("utf-8"))
    return root


def settle(root: Path) -> None:
    """Wait until a change of any file of a project shows, by the clock of its file system.

    Before, nothing is kept of the project, because two changes within one step of that clock look like one.
    """
    newest = max(place.lstat().st_ctime_ns for place in (root, *root.rglob("*")))
    probe = root.with_name(root.name + ".clock")
    probe.touch()
    while probe.stat().st_ctime_ns - newest <= _STEP:
        time.sleep(_STEP / 1e10)
        probe.touch()
    probe.unlink()


_STEP = 50_000_000
"""The longest step of a kernel's clock for files, in nanoseconds."""


@cache
def own_interpreter() -> Interpreter:
    """Return the Python that runs these tests, as the interpreter of a project with the tools installed here."""
    major, minor, micro = sys.version_info[:3]
    places = {Path(sys.prefix), Path(sys.base_prefix), Path(sysconfig.get_path("purelib"))}
    return Interpreter(
        executable=Path(sys.executable),
        version=(major, minor, micro),
        readable=tuple(sorted(places)),
        why="it runs these tests",
        pytest=pytest.__version__,
    )


def standing(baseline: Baseline) -> dict[str, str]:
    """Return the status of each test that counts, by its id."""
    return {test.id: test.ruling.value for test in baseline.tests}


@dataclass
class Project:
    """A project on disk with a target; everything on it runs in real processes."""

    root: Path
    path: str
    qualname: str
    options: TestOptions = field(default_factory=lambda: TestOptions(seconds=5.0, total_seconds=40.0))
    unsaved: Mapping[str, str] = field(default_factory=dict)
    guidance: Guidance = UNGUIDED
    extra_files: tuple[str, ...] = ()
    whole: bool = False
    text: str = ""
    interpreter: Interpreter = field(default_factory=bare_interpreter)
    executor: Executor = field(default_factory=lambda: LocalExecutor(SandboxOptions()))
    run: BaselineRun = field(default_factory=BaselineRun)
    pool: WarmPool | None = None

    def __post_init__(self) -> None:
        self.text = self.text or (self.root / self.path).read_bytes().decode("utf-8")

    @property
    def target(self) -> Target:
        return find_target(self.text, ByName(self.qualname), path=self.path)

    @property
    def harnesses(self) -> FreshHarnesses:
        """Return the harnesses that run the project's tests."""
        return FreshHarnesses(executor=self.executor, interpreter=self.interpreter, options=self.options)

    async def baseline(self, request: BaselineRequest | None = None) -> Baseline:
        """Take the baseline, and keep the conditions of its run for the problems that are stated later."""
        harness = Harness(
            root=self.root,
            path=self.path,
            base=self.text,
            target=self.target,
            unsaved=self.unsaved,
            interpreter=self.interpreter,
            executor=self.executor,
            options=self.options,
            user_examples=self.guidance.examples,
            extra_files=self.extra_files,
            whole_suite=self.whole,
        )
        baseline, self.run = await take_baseline(harness, request or BaselineRequest())
        return baseline

    @asynccontextmanager
    async def prepared(self) -> AsyncIterator[tuple[Problem, HarnessSource]]:
        """Yield a repair, and harnesses whose runs start from the process that its baseline ran in, as searches do it.

        A verifier that runs the tests ten times takes a third of the time that it takes in fresh processes. With a
        `pool` the process is one that former searches of the project have left, if it is still of use.
        """
        async with background_tasks() as group:
            pool = self.pool or WarmPool(group)
            problem = self.problem(await self.baseline(BaselineRequest(warm=pool)))
            async with warm_harnesses(replace(self.harnesses, pool=pool), problem, confirms=False) as harnesses:
                yield problem, harnesses

    def problem(self, baseline: Baseline) -> Problem:
        """State a repair with that baseline."""
        return Problem(
            root=self.root,
            path=self.path,
            text=self.text,
            target=self.target,
            goal=Goal.REPAIR,
            baseline=baseline,
            baseline_run=self.run,
            unsaved=self.unsaved,
            guidance=self.guidance,
        )

    def candidate(self, old: str, new: str) -> Candidate:
        """Propose to replace the only occurrence of `old` within the target."""
        span = self.target.span
        assert self.text.count(old, span.start, span.end) == 1
        start = self.text.index(old, span.start)
        text = self.text[:start] + new + self.text[start + len(old) :]
        edit = TextEdit(Span(start, start + len(old)), new)
        return Candidate(id=candidate_id(self.text, text), edits=(edit,), text=text, origin=Origin(generator="a test"))
