"""Tests that no name leads to the target from: they judge a candidate before it passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.concurrency import background_tasks
from certo.sandbox.executor import Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.remaining_tests import RemainingTests
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.dynamic.warm_pool import WarmPool
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

MODULE = """
def cmd_double(n):
    return n


def run(name, n):
    return globals()["cmd_" + name](n)
"""
DIRECT = "from m import cmd_double\n\ndef test_double():\n    assert cmd_double(2) == 4\n"
BY_TEXT = "import m\n\ndef test_run():\n    assert m.run('double', 3) == 6\n\ndef test_nothing():\n    assert True\n"


@pytest.mark.parametrize(
    ("body", "ruling", "message"),
    [
        ("    return 4", Ruling.FAILED, "test_run.py::test_run: assert 4 == 6, where 4 = run('double', 3)"),
        ("    return n * 2", Ruling.PASSED, ""),
    ],
    ids=["wrong", "right"],
)
async def test_tests_by_text_judge_too(tmp_path: Path, body: str, ruling: Ruling, message: str) -> None:
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT, "test_run.py": BY_TEXT})
    project = Project(tmp_path, "m.py", "cmd_double")
    problem = project.problem(await project.baseline())
    assert [test.id for test in problem.baseline.tests] == ["test_direct.py::test_double"]
    assert problem.baseline_run.rest == ("test_run.py",)
    verdict = await TestsVerifier(project.harnesses).judge(project.candidate("    return n", body), problem)
    assert verdict.ruling is ruling
    assert [finding.message for finding in verdict.findings if message][:1] == ([message] if message else [])


class Selections:
    """Executor that records the tests that each run is asked for, None for all tests of its files."""

    def __init__(self, project: Project) -> None:
        self._executor = project.executor
        self.ids: list[object] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._executor, name)

    async def run(self, work: Work, hear: object) -> object:
        self.ids.append(work.request["ids"])
        return await self._executor.run(work, hear)


HEAD = "def cmd_double(n):\n    return n"


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ("    return n", "    return n * 2", [None, ["test_direct.py::test_double"], ["test_run.py::test_run"]]),
        (HEAD, "def cmd_double(n, by=2):\n    return n * by", [None, ["test_direct.py::test_double"]]),
    ],
    ids=["the body", "the head"],
)
async def test_confirming_runs_only_tests_that_reach(tmp_path: Path, old: str, new: str, runs: list[object]) -> None:
    """The left-out tests run on the original text; only if the head changes, all of them run on the candidate."""
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT, "test_run.py": BY_TEXT})
    project = Project(tmp_path, "m.py", "cmd_double")
    problem = project.problem(await project.baseline())
    seen = Selections(project)
    verifier = TestsVerifier(replace(project.harnesses, executor=seen), steady=True)
    assert (await verifier.judge(project.candidate(old, new), problem)).ruling is Ruling.PASSED
    rerun, *others = seen.ids
    assert rerun == ["test_direct.py::test_double"]
    assert sorted(others, key=str) == sorted(runs, key=str)


async def test_all_tests_run_if_none_fails(tmp_path: Path) -> None:
    """A user who wants a repair may have seen a test fail that reaches the function by a text."""
    right = DIRECT.replace("== 4", "== 2")
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": right, "test_run.py": BY_TEXT})
    project = Project(tmp_path, "m.py", "cmd_double")
    baseline = await project.baseline(BaselineRequest(recheck_green=True))
    assert [test.id for test in baseline.tests if test.ruling is Ruling.FAILED] == ["test_run.py::test_run"]


@pytest.mark.parametrize(
    ("expected", "ruling", "runs"),
    [
        pytest.param(3, Ruling.PASSED, ["remaining"], id="pass"),
        pytest.param(6, Ruling.FAILED, ["remaining", "suite"], id="fail"),
    ],
)
async def test_remaining_tests_begin_beside_the_baseline(
    tmp_path: Path, expected: int, ruling: Ruling, runs: list[str]
) -> None:
    """They run once, in a copy of the prepared process; those that fail there because of the target run afresh."""
    by_text = BY_TEXT.replace("== 6", f"== {expected}")
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT.replace("== 4", "== 2"), "test_run.py": by_text})
    trace = RunTrace()
    executor = TracedExecutor(LocalExecutor(SandboxOptions()), trace)
    project = Project(tmp_path, "m.py", "cmd_double", executor=executor)
    remaining = RemainingTests(project.harnesses)
    async with background_tasks() as group:

        def begun(harness: Harness) -> None:
            group.start_soon(remaining.begin, harness)

        problem = project.problem(await project.baseline(BaselineRequest(warm=WarmPool(group), begun=begun)))
        verdict = await remaining.judge(project.candidate("return n", "return n"), problem)
    assert verdict.ruling is ruling
    made = [str(run.work.request["program"]) for run in trace.runs]
    assert [name for name in made if name != "baseline"] == runs
    assert [run.work.preparation is None for run in trace.runs if run.work.request["program"] == "suite"] in (
        [],
        [True],
    )


async def test_rests_begun_elsewhere_run_again(tmp_path: Path) -> None:
    """Tests that began under other conditions than the baseline turned out to need say nothing."""
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT.replace("== 4", "== 2"), "test_run.py": BY_TEXT})
    trace = RunTrace()
    project = Project(tmp_path, "m.py", "cmd_double", executor=TracedExecutor(LocalExecutor(SandboxOptions()), trace))
    remaining = RemainingTests(project.harnesses)
    problem = project.problem(await project.baseline())
    await remaining.begin(replace(await project.harnesses.of(problem), hidden=("secret",)))
    verdict = await remaining.judge(project.candidate("return n", "return n"), problem)
    assert verdict.ruling is Ruling.FAILED
    assert [run.work.request["program"] for run in trace.runs] == ["baseline", "remaining", "suite"]
