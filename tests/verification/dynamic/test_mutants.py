"""Runs of known tests on mutants of the target."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.dynamic.mutants import NEIGHBOURS, SAME, MutantRunner
from support.projects.projects import Project, write_project

TESTS = """
import pytest
from m import step

@pytest.mark.parametrize("number", range(20))
def test_it(number):
    while step() != 7:
        pass
"""


@pytest.mark.slow
async def test_tests_that_loop_end_the_run_early(tmp_path: Path) -> None:
    """A few show that the mutant makes tests run for ever; each takes its whole limit."""
    project = Project(
        write_project(tmp_path, {"m.py": "def step():\n    return 7\n", "test_m.py": TESTS}), "m.py", "step"
    )
    problem = project.problem(await project.baseline())
    tests = problem.baseline.tests
    harness = await project.harnesses.of(problem)
    mutants = MutantRunner(harness=harness, text=project.text, line=1, paths=("test_m.py",))
    assert len((await mutants.of(SAME, tests)).green) == len(tests) == 20
    run = await mutants.of(NEIGHBOURS[0], tests)
    assert 1 <= len(run.red) < 10
    assert not run.calm
    assert not run.trouble


INTERRUPTED = """
from m import step

def test_interrupted():
    step()
    if "_inside" in step.__globals__:
        step.__globals__["_inside"].set(True)

def test_after():
    assert step() == 7
"""


async def test_interrupted_call_does_not_disarm_a_mutant(tmp_path: Path) -> None:
    """A test may be ended by its time limit while a call of the target returns."""
    files = {"m.py": "def step():\n    return 7\n", "test_m.py": INTERRUPTED}
    project = Project(write_project(tmp_path, files), "m.py", "step")
    problem = project.problem(await project.baseline())
    harness = await project.harnesses.of(problem)
    mutants = MutantRunner(harness=harness, text=project.text, line=1, paths=("test_m.py",))
    run = await mutants.of(NEIGHBOURS[0], problem.baseline.tests)
    assert "test_m.py::test_after" in run.red
