"""Tests that no name leads to the target from: they judge a candidate before it passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.executor import Work
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.suite_verifiers import TestsVerifier
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
