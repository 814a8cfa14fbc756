"""The preparation for a search's tests happens once, before anybody asks, and is kept until the search is over."""

from __future__ import annotations

import os
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.generation.builtin.generator import BuiltinGenerator
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import ProblemPreview
from certo.sandbox.executor import Executor, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import descendants
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.flaky import MAX_RERUN_SECONDS
from certo.verification.dynamic.harness import Selection, run_program
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.warm_pool import MAX_PROJECTS, Preparation, WarmPool, WarmProjects
from certo.vocabulary.problem import Baseline, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import HYPOTHESIS, bare_interpreter
from support.projects.projects import Project, write_project

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


async def idle(project: Project, problem: Problem, kept: WarmPool, executor: Noting, seconds: float) -> int:
    """Return the number of preparations of a search whose generator finds nothing for a while, or until the first."""
    async with warm_harnesses(replace(project.harnesses, pool=kept), problem):
        with anyio.move_on_after(seconds):
            await executor.asked.wait()
    return len(executor.noted)


async def test_candidates_use_the_baselines_preparation(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    async with background_tasks() as group:
        kept = WarmPool(group)
        problem = project.problem(await project.baseline(BaselineRequest(warm=kept)))
        assert len(executor.noted) == 1
        async with warm_harnesses(replace(project.harnesses, pool=kept), problem) as harnesses:
            harness = await harnesses.of(problem)
            confirming = await harnesses.confirming(problem)
        assert (harness.cold, harness.preparation) == ("", executor.noted[0].preparation)
    # The confirming run has another hash seed, and so a process of its own.
    assert [work.hash_seed for work in executor.noted] == [0, confirming.hash_seed]


@pytest.mark.usual_cases("fails warm", "not collected warm")
@pytest.mark.parametrize(
    ("test", "prepared"),
    [
        pytest.param("def test_other():\n    assert 1 == 2\n", True, id="fails in a fresh process too"),
        pytest.param(
            "def test_other(missing):\n    pass\n", True, id="cannot be set up anywhere", marks=pytest.mark.slow
        ),
        pytest.param("import gc\ndef test_other():\n    assert not gc.get_freeze_count()\n", False, id="fails warm"),
        pytest.param("raise ValueError\n", True, id="collected nowhere", marks=pytest.mark.slow),
        pytest.param("import gc\nassert not gc.get_freeze_count()\n", False, id="not collected warm"),
    ],
)
async def test_the_baseline_is_fresh_in_doubt(tmp_path: Path, test: str, *, prepared: bool) -> None:
    """Tests that fail for another reason than the target may do so only because of the prepared process."""
    files = {**FILES, "test_other.py": "from double import double\n" + test}
    project = Project(write_project(tmp_path, files), "double.py", "double", executor=LocalExecutor(SandboxOptions()))
    async with background_tasks() as group:
        project = replace(project, extra_files=("test_other.py",))
        baseline = await project.baseline(BaselineRequest(warm=WarmPool(group)))
        problem = project.problem(baseline)
    assert problem.baseline_run.prepared is prepared
    assert [test.id for test in baseline.tests] == ["test_double.py::test_double"]
    fresh = await project.baseline()
    assert baseline.set_aside == fresh.set_aside


@pytest.mark.slow
async def test_baselines_that_run_afresh_run_once(tmp_path: Path) -> None:
    """If pytest itself imports the target, no copy can be used, and the fresh run in its place is what is wanted."""
    files = {**FILES, "pytest.ini": "[pytest]\npythonpath = .\naddopts = -p double\n"}
    trace = RunTrace()
    executor = TracedExecutor(LocalExecutor(SandboxOptions()), trace)
    project = Project(write_project(tmp_path, files), "double.py", "double", executor=executor)
    async with background_tasks() as group:
        baseline = await project.baseline(BaselineRequest(warm=WarmPool(group)))
    assert not project.run.prepared
    assert [test.id for test in baseline.tests] == ["test_double.py::test_double"]
    [run] = [run for run in trace.runs if run.work.request["program"] == "baseline"]
    assert run.finished is not None
    assert "imports the target too" in run.finished.cold


async def test_preparation_precedes_the_first_candidate(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    problem = project.problem(await project.baseline())
    async with background_tasks() as group:
        assert await idle(project, problem, WarmPool(group), executor, 100.0) == 1


async def test_slow_tests_are_not_prepared(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    baseline = await project.baseline()
    slow = tuple(replace(test, seconds=2 * MAX_RERUN_SECONDS) for test in baseline.tests)
    async with background_tasks() as group:
        problem = project.problem(replace(baseline, tests=slow))
        assert await idle(project, problem, WarmPool(group), executor, 1.0) == 0


WITH_TEXTS = """
from hypothesis import given, settings, strategies as some
from double import double

@settings(max_examples=10)
@given(some.text())
def test_texts(text):
    double(len(text))

def test_double():
    assert double(3) == 4
"""


@pytest.mark.slow
async def test_preparation_includes_hypothesis_characters(tmp_path: Path) -> None:
    tests = "import hypothesis.internal.charmap as tables\n\ndef test_double():\n    assert not tables._charmap\n"
    write_project(tmp_path, {**FILES, "test_double.py": tests})
    project = Project(tmp_path, "double.py", "double", interpreter=bare_interpreter(*HYPOTHESIS))
    preparation = Preparation(("test_double.py",), ("hypothesis",), session=True, characters=True)
    results = RunResults()
    async with background_tasks() as group:
        fresh = await project.harnesses.of(project.problem(Baseline()))
        warm = await WarmPool(group).harness(fresh, preparation)
        selection = Selection(paths=preparation.paths)
        finished = await run_program("suite", warm, warm.base, selection, results, seconds=60.0)
    assert (finished.complete, finished.cold) == (True, "")
    assert [told.ruling for told in results.tests.values()] == [Ruling.FAILED]


@pytest.mark.slow
async def test_the_baseline_notices_tests_drawing_text(tmp_path: Path) -> None:
    write_project(tmp_path, {**FILES, "test_double.py": WITH_TEXTS})
    project = Project(tmp_path, "double.py", "double", interpreter=bare_interpreter(*HYPOTHESIS))
    await project.baseline()
    assert project.run.characters


async def test_tests_without_texts_need_no_characters(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    async with background_tasks() as group:
        await project.baseline(BaselineRequest(warm=WarmPool(group)))
        assert not project.run.characters
    assert executor.noted[0].preparation is not None
    assert executor.noted[0].preparation["characters"] is False


@pytest.mark.usual_cases("yes")
@pytest.mark.parametrize(("conftest", "prepared"), [("", True), ("import double\n", False)], ids=["no", "yes"])
async def test_targets_that_conftests_import_stay_fresh(tmp_path: Path, conftest: str, prepared: bool) -> None:
    """Each copy of a process that has imported the target would run its old code in place of a candidate's."""
    project, _executor = build(tmp_path)
    write_project(tmp_path, {"conftest.py": conftest})
    async with background_tasks() as group:
        await project.baseline(BaselineRequest(warm=WarmPool(group)))
    assert (project.run.prepared, project.run.early) == (prepared, not prepared)


async def lend(projects: WarmProjects, group: TaskGroup, key: str, *, stopped: bool = False) -> WarmPool:
    """Return the pool of a project, lent to a search that lives in the group."""
    pool: WarmPool = await group.start(projects.lend, key, lambda: stopped)
    return pool


async def test_the_next_search_uses_the_same_process(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon)
        for _ in range(2):
            async with background_tasks() as search:
                baseline = await project.baseline(BaselineRequest(warm=await lend(projects, search, "shop")))
                assert [test.ruling for test in baseline.tests] == [Ruling.FAILED]
        assert len(executor.noted) == 1
        # What changes on the disk is seen by the next search.
        (tmp_path / "test_double.py").write_text(FILES["test_double.py"].replace("== 6", "== 4"), encoding="utf-8")
        async with background_tasks() as search:
            baseline = await project.baseline(BaselineRequest(warm=await lend(projects, search, "shop")))
    assert [test.ruling for test in baseline.tests] == [Ruling.PASSED]


async def test_stopping_a_search_ends_its_processes(tmp_path: Path) -> None:
    project, _ = build(tmp_path)
    before = descendants(os.getpid())
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon)
        async with background_tasks() as other:
            kept = await lend(projects, other, "shop")
            async with background_tasks() as search:
                await project.baseline(BaselineRequest(warm=await lend(projects, search, "shop", stopped=True)))
            assert descendants(os.getpid()) != before, "another search uses them"
            async with background_tasks() as search:
                assert await lend(projects, search, "shop") is kept
        async with background_tasks() as search:
            await lend(projects, search, "shop", stopped=True)
        assert descendants(os.getpid()) == before


async def test_few_projects_keep_processes(tmp_path: Path) -> None:
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon)
        pools = {}
        for number in range(MAX_PROJECTS + 1):
            async with background_tasks() as search:
                pools[number] = await lend(projects, search, f"project {number}")
        async with background_tasks() as search:
            assert await lend(projects, search, f"project {MAX_PROJECTS}") is pools[MAX_PROJECTS]
            assert await lend(projects, search, "project 0") is not pools[0]


async def test_ending_search_leaves_another_its_processes(tmp_path: Path) -> None:
    project, _ = build(tmp_path)
    problem = project.problem(await project.baseline())
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon)
        async with background_tasks() as other:
            kept = await lend(projects, other, "shop")
            async with background_tasks() as search:
                await lend(projects, search, "shop")
                cold = await project.harnesses.of(problem)
                warm = await kept.harness(cold, Preparation(("test_double.py",), (), session=True, characters=False))
            results = RunResults()
            selection = Selection(paths=("test_double.py",), ids=("test_double.py::test_double",))
            finished = await run_program("suite", warm, problem.text, selection, results, seconds=10.0)
    assert (finished.cold, len(results.tests)) == ("", 1)


@pytest.mark.parametrize(
    ("prepares_next", "stopped", "kept"),
    [(True, False, True), (True, True, False), (False, False, False)],
    ids=["daemon", "stopped", "command"],
)
async def test_searches_leave_a_standing_worker(
    tmp_path: Path, *, prepares_next: bool, stopped: bool, kept: bool
) -> None:
    """The next built-in search of a daemon begins in a process that was prepared after this one."""
    project, executor = build(tmp_path)
    preview = ProblemPreview(root=tmp_path, path="double.py", text="", target=project.target, unsaved={})
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon, prepares_next=prepares_next)
        async with background_tasks() as search:
            pool = await lend(projects, search, "shop", stopped=stopped)
            generator = BuiltinGenerator(pool.reserve.over(executor), project.interpreter, BuiltinOptions())
            search.start_soon(generator.stand_by, preview)
            await executor.asked.wait()
        await anyio.wait_all_tasks_blocked()
        assert len(executor.noted) == 1 + kept


async def test_saved_files_prepare_anew_between_searches(tmp_path: Path) -> None:
    project, executor = build(tmp_path)
    preview = ProblemPreview(root=tmp_path, path="double.py", text="", target=project.target, unsaved={})
    async with background_tasks() as daemon:
        projects = WarmProjects(daemon, prepares_next=True)
        async with background_tasks() as search:
            pool = await lend(projects, search, "shop")
            generator = BuiltinGenerator(pool.reserve.over(executor), project.interpreter, BuiltinOptions())
            search.start_soon(generator.stand_by, preview)
            await executor.asked.wait()
            write_project(tmp_path, {"double.py": "def double(number):\n    return number * 2\n"})
            await projects.refresh(tmp_path / "double.py")
            assert len(executor.noted) == 1, "a search has what it needs"
        await anyio.wait_all_tasks_blocked()
        for text in ("return 2 * number", "return number + number"):
            before = len(executor.noted)
            await kept_workers_are_prepared(pool)
            write_project(tmp_path, {"double.py": f"def double(number):\n    {text}\n"})
            await projects.refresh(tmp_path / "double.py")
            assert len(executor.noted) == before + 1
            await projects.refresh(tmp_path / "test_double.py")
            assert len(executor.noted) == before + 1, "its worker began with no text of that file"


async def kept_workers_are_prepared(pool: WarmPool) -> None:
    for kept in pool.reserve._kept.values():
        assert kept.executor._worker is not None
        await kept.executor._worker.ready.wait()
