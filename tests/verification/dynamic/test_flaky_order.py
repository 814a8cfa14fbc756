"""A red test that turns green without a candidate, or only sometimes with it, lets none pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.executor import Work
from certo.verification.dynamic.flaky import (
    MAX_RERUN_SECONDS,
    RUNS_BEFORE,
    RUNS_WITH,
    FlakinessCheck,
)
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.vocabulary.problem import FLAKY, Baseline, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

RED, GREEN = Ruling.FAILED, Ruling.PASSED


class Counting:
    """The executor of a project that counts its runs, and how many go on at once."""

    def __init__(self, project: Project) -> None:
        self._executor = project.executor
        self.runs = self._going_on = self.most_at_once = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._executor, name)

    async def run(self, work: Work, hear: object) -> object:
        self.runs += 1
        self._going_on += 1
        self.most_at_once = max(self.most_at_once, self._going_on)
        try:
            return await self._executor.run(work, hear)
        finally:
            self._going_on -= 1


@pytest.fixture
def project(tmp_path: Path) -> Project:
    files = {
        "sums.py": "def double(x):\n    return x + 2\n",
        "test_sums.py": "from sums import double\n\ndef test_two():\n    assert double(2) == 4\n",
        "test_more.py": "from sums import double\n\ndef test_three():\n    assert double(3) == 6\n",
    }
    return Project(write_project(tmp_path, files), "sums.py", "double")


def stated(project: Project, **rulings: Ruling) -> Problem:
    """A problem whose baseline saw the tests like this, whatever they do now."""
    files = {"test_two": "test_sums.py", "test_three": "test_more.py"}
    tests = tuple(KnownTest(id=f"{files[name]}::{name}", ruling=ruling) for name, ruling in rulings.items())
    return project.problem(Baseline(tests=tests))


async def test_what_passes_without_the_candidate_judges_nothing(project: Project) -> None:
    problem = stated(project, test_two=RED, test_three=RED)
    verdict = await TestsVerifier(project.harnesses).judge(project.candidate("x + 2", "2 * x"), problem)
    assert verdict.ruling is Ruling.FAILED
    assert [finding.message for finding in verdict.findings] == [
        f"test_sums.py::test_two {FLAKY}, so its result does not count"
    ]


@pytest.mark.slow
async def test_the_unchanged_text_is_rerun_only_once(project: Project) -> None:
    """Each candidate is run again; one that takes long only once more."""
    problem = stated(project, test_two=GREEN, test_three=RED)
    counting = Counting(project)
    harness = replace(await project.harnesses.of(problem), executor=counting)
    steadiness, candidate = FlakinessCheck(), project.candidate("x + 2", "2 * x")
    assert await steadiness.flaky(harness, candidate, problem, 0.1) == frozenset()
    assert counting.runs == RUNS_BEFORE + RUNS_WITH
    assert counting.most_at_once == RUNS_BEFORE
    assert await steadiness.flaky(harness, candidate, problem, 0.1) == frozenset()
    assert counting.runs == RUNS_BEFORE + 2 * RUNS_WITH
    assert await FlakinessCheck().flaky(harness, candidate, problem, 2 * MAX_RERUN_SECONDS) == frozenset()
    assert counting.runs == RUNS_BEFORE + 2 * RUNS_WITH + 1, "what takes long is run once more all the same"


async def test_early_reruns_are_not_repeated(project: Project) -> None:
    problem = stated(project, test_two=GREEN, test_three=RED)
    harness = replace(await project.harnesses.of(problem), executor=(counting := Counting(project)))
    flakiness = FlakinessCheck()
    assert await flakiness.before(harness, problem, 0.1) == frozenset()
    assert counting.runs == RUNS_BEFORE
    await flakiness.flaky(harness, project.candidate("x + 2", "2 * x"), problem, 0.1)
    assert counting.runs == RUNS_BEFORE + RUNS_WITH


async def test_reruns_of_the_baseline_count(project: Project) -> None:
    problem = stated(project, test_two=GREEN, test_three=RED)
    problem = replace(problem, baseline_run=replace(problem.baseline_run, reruns=2))
    harness = replace(await project.harnesses.of(problem), executor=(counting := Counting(project)))
    await FlakinessCheck().before(harness, problem, 0.1)
    assert counting.runs == RUNS_BEFORE - 2


async def test_tests_failing_again_are_flaky(project: Project) -> None:
    problem = stated(project, test_two=GREEN, test_three=RED)
    harness = await project.harnesses.of(problem)
    wrong = project.candidate("x + 2", "x + 4 - 2")
    assert await FlakinessCheck().flaky(harness, wrong, problem, 0.1) == {"test_more.py::test_three"}


async def test_where_nothing_was_red_nothing_is_run(project: Project) -> None:
    problem = stated(project, test_two=GREEN)
    harness = replace(await project.harnesses.of(problem), executor=(counting := Counting(project)))
    assert await FlakinessCheck().flaky(harness, project.candidate("x + 2", "2 * x"), problem, 0.1) == frozenset()
    assert counting.runs == 0
