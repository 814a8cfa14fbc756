"""Tests are found to stand otherwise in another run, in fresh processes and in prepared ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.concurrency import background_tasks
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.slots import processors
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.flaky import (
    MAX_CASES,
    MAX_RERUN_SECONDS,
    RUNS_BEFORE,
    FlakinessCheck,
    flaky_tests,
    should_rerun,
)
from certo.verification.dynamic.results import CaseResult
from certo.verification.dynamic.warm_pool import Preparation, WarmPool
from certo.vocabulary.problem import FLAKY
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, standing, write_project


async def test_slow_tests_are_not_rerun(tmp_path: Path) -> None:
    write_project(tmp_path, {"sums.py": "def double(x):\n    return 2 * x\n", "test_sums.py": "def test_a(): pass\n"})
    project = Project(tmp_path, "sums.py", "double")
    harness = await project.harnesses.of(project.problem(await project.baseline()))
    red = CaseResult(id="test_sums.py::test_a", ruling=Ruling.FAILED, seconds=MAX_RERUN_SECONDS / 2)
    late = CaseResult(id="test_sums.py::test_b", ruling=Ruling.PASSED, seconds=MAX_RERUN_SECONDS)
    assert should_rerun(harness, [red], [])
    assert await flaky_tests(harness, [red]) == ({red.id}, 0)
    assert not should_rerun(harness, [red, late], []), "without the late one another may stand otherwise"
    assert not should_rerun(harness, [red], [red.id])


async def test_doubted_green_tests_are_rerun(tmp_path: Path) -> None:
    write_project(tmp_path, {"sums.py": "def double(x):\n    return x\n", "test_sums.py": "def test_a(): assert 0\n"})
    project = Project(tmp_path, "sums.py", "double")
    harness = await project.harnesses.of(project.problem(await project.baseline()))
    green = CaseResult(id="test_sums.py::test_a", ruling=Ruling.PASSED)
    assert not should_rerun(harness, [green], [])
    assert should_rerun(harness, [green], [], recheck_green=True)
    assert await flaky_tests(harness, [green]) == ({green.id}, 0)


@pytest.mark.parametrize("is_kept", [False, True])
async def test_flaky_tests_are_set_aside(tmp_path: Path, *, is_kept: bool) -> None:
    """The flaky one depends on a test that does not reach the target and so is not run again."""
    write_project(
        tmp_path,
        {
            "sums.py": """\
                def double(x):
                    return x + 2
                """,
            "test_sums.py": """\
                from sums import double

                seen = []

                def test_unrelated():
                    assert double
                    seen.append(1)

                def test_now_and_then():
                    assert double(2) == 4
                    assert not seen

                def test_double():
                    assert double(3) == 6

                def test_same():
                    assert double(2) == 4
                """,
        },
    )
    async with background_tasks() as group:
        kept = WarmPool(group) if is_kept else None
        baseline = await Project(tmp_path, "sums.py", "double").baseline(BaselineRequest(warm=kept))
    assert standing(baseline) == {"test_sums.py::test_double": "failed", "test_sums.py::test_same": "passed"}
    (aside,) = baseline.set_aside
    assert (aside.id, aside.message) == ("test_sums.py::test_now_and_then", FLAKY)
    assert any(f"{aside.id} {FLAKY}" in problem for problem in baseline.problems)


async def test_failing_only_when_warm_is_not_flaky(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x + 2\n",
            "test_sums.py": """\
                import sys

                from sums import double

                def test_before():
                    assert "wave" not in sys.modules
                    import wave
                    assert double(2) == 4

                def test_double():
                    assert double(3) == 6
                """,
        },
    )
    async with background_tasks() as group:
        baseline = await Project(tmp_path, "sums.py", "double").baseline(BaselineRequest(warm=WarmPool(group)))
    assert standing(baseline) == {"test_sums.py::test_before": "passed", "test_sums.py::test_double": "failed"}
    assert baseline.set_aside == ()


@pytest.mark.slow
async def test_different_results_when_warm_are_flaky(tmp_path: Path) -> None:
    """The results are random, so many that all stand alike only once in a million."""
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x + 2\n",
            "test_sums.py": """\
                import os

                import pytest
                from sums import double

                @pytest.mark.parametrize("n", range(20))
                def test_by_chance(n):
                    assert double(2) == 4
                    assert os.urandom(1)[0] % 2

                def test_double():
                    assert double(3) == 6
                """,
        },
    )
    project = Project(tmp_path, "sums.py", "double")
    harness = await project.harnesses.of(project.problem(await project.baseline()))
    # As if each had stood in the baseline as it stands in the run that comes, so that only the next can tell.
    known = [CaseResult(id=f"test_sums.py::test_by_chance[{n}]", ruling=Ruling.UNDECIDED) for n in range(20)]
    async with background_tasks() as group:
        warm = await WarmPool(group).harness(
            harness, Preparation(("test_sums.py",), (), session=True, characters=False)
        )
        assert (await flaky_tests(harness, known, warm))[0]
    assert not (await flaky_tests(harness, known))[0]


async def test_early_reruns_leave_a_processor(tmp_path: Path) -> None:
    """While a candidate is looked for, the search for it has one processor."""
    trace = RunTrace()
    files = {"m.py": "def f(x):\n    return x\n", "test_m.py": "import m\n\ndef test_f():\n    assert m.f(2) == 4\n"}
    executor = TracedExecutor(LocalExecutor(SandboxOptions()), trace)
    project = Project(write_project(tmp_path, files), "m.py", "f", executor=executor)
    async with project.prepared() as (problem, harnesses):
        harness = await harnesses.of(problem)
        trace.runs.clear()
        assert await FlakinessCheck().before(harness, problem, 0.1, early=True) == frozenset()
    assert len(trace.runs) == RUNS_BEFORE - problem.baseline_run.reruns > 1
    beside = [sum(other.began <= run.began < other.ended for other in trace.runs) for run in trace.runs]
    assert max(beside) <= max(1, processors() - 1)


async def test_some_of_many_green_cases_are_rerun(tmp_path: Path) -> None:
    trace = RunTrace()
    tests = "import m, pytest\n\n@pytest.mark.parametrize('n', range(300))\ndef test_f(n): assert m.f(n) == n + 2\n"
    files = {"m.py": "def f(x):\n    return max(x, 99) + 2\n", "test_m.py": tests}
    executor = TracedExecutor(LocalExecutor(SandboxOptions()), trace)
    project = Project(write_project(tmp_path, files), "m.py", "f", executor=executor)
    problem = project.problem(await project.baseline())
    trace.runs.clear()
    assert await FlakinessCheck().before(await project.harnesses.of(problem), problem, 1.0) == frozenset()
    failing = {f"test_m.py::test_f[{n}]" for n in range(99)}
    for run in trace.runs:
        ids = set(run.work.request["ids"])
        assert (len(ids & failing), len(ids - failing)) == (99, MAX_CASES)
    assert trace.runs
