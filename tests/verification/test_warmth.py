"""What is prepared for the tests of a search is prepared once, before anybody asks, and kept until it is over."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import anyio

from certo.sandbox.crew import crew
from certo.sandbox.executor import Executor, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.grounds import warm_grounds
from certo.verification.warmth import Warmth
from certo.verification.wavering import SECONDS
from certo.vocabulary.problem import Problem
from support.projects import Project, write_project

FILES = {
    "double.py": "def double(number):\n    return number + 1\n",
    "test_double.py": "from double import double\n\ndef test_double():\n    assert double(3) == 6\n",
}


class Noting(LocalExecutor):
    """Notes for what it was asked to keep something warm."""

    def __init__(self) -> None:
        super().__init__(SandboxOptions())
        self.noted: list[Work] = []
        self.asked = anyio.Event()

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """An executor whose runs like this one start warm."""
        self.noted.append(work)
        self.asked.set()
        return super().warmed(work)


def build(root: Path) -> tuple[Project, Noting]:
    write_project(root, FILES)
    executor = Noting()
    return Project(root, "double.py", "double", executor=executor), executor


async def idle(project: Project, problem: Problem, kept: Warmth, executor: Noting) -> int:
    """How much is prepared for a search whose generator finds nothing for a while."""
    async with warm_grounds(replace(project.grounds, kept=kept), problem):
        with anyio.move_on_after(3.0):
            await executor.asked.wait()
    return len(executor.noted)


async def test_what_the_baseline_prepared_is_what_candidates_start_from(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    async with crew() as group:
        kept = Warmth(group)
        problem = project.problem(await project.baseline(kept))
        assert len(executor.noted) == 1
        async with warm_grounds(replace(project.grounds, kept=kept), problem) as grounds:
            ground = await grounds.of(problem)
        assert (ground.cold, ground.preparation) == ("", executor.noted[0].preparation)
    assert len(executor.noted) == 1


async def test_in_a_search_it_is_prepared_before_there_is_a_candidate(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    problem = project.problem(await project.baseline())
    async with crew() as group:
        assert await idle(project, problem, Warmth(group), executor) == 1


async def test_tests_that_take_long_are_not_in_the_way_of_the_search(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    baseline = await project.baseline()
    slow = tuple(replace(test, seconds=2 * SECONDS) for test in baseline.tests)
    async with crew() as group:
        problem = project.problem(replace(baseline, tests=slow))
        assert await idle(project, problem, Warmth(group), executor) == 0
