"""Tests that no name leads to the target from: they judge a candidate before it passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from certo.concurrency import background_tasks
from certo.sandbox.executor import Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic import harness_source
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.harness import Harness
from certo.verification.dynamic.harness_source import LeftOutTests
from certo.verification.dynamic.remaining_tests import RemainingTests
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.dynamic.test_map import MappedTests
from certo.verification.dynamic.warm_pool import WarmPool
from certo.verification.options import TestOptions
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


async def test_tests_by_text_judge_too(tmp_path: Path) -> None:
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT, "test_run.py": BY_TEXT})
    project = Project(tmp_path, "m.py", "cmd_double")
    async with project.prepared() as (problem, harnesses):
        assert [test.id for test in problem.baseline.tests] == ["test_direct.py::test_double"]
        assert problem.baseline_run.rest == ("test_run.py",)
        verifier = TestsVerifier(harnesses, steady=True)
        wrong = await verifier.judge(project.candidate("    return n", "    return 4"), problem)
        right = await verifier.judge(project.candidate("    return n", "    return n * 2"), problem)
    assert (wrong.ruling, right.ruling, right.findings) == (Ruling.FAILED, Ruling.PASSED, ())
    assert wrong.findings[0].message == "test_run.py::test_run: assert 4 == 6, where 4 = run('double', 3)"


class Selections:
    """Executor that records the files of which each run runs all tests."""

    def __init__(self, project: Project) -> None:
        self._executor = project.executor
        self.files: list[set[str]] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._executor, name)

    async def run(self, work: Work, hear: object) -> object:
        if work.request["ids"] is None:
            self.files.append(set(work.request["paths"]))
        return await self._executor.run(work, hear)


HEAD = "def cmd_double(n):\n    return n"
STRANGER = "import m\n\ndef test_stranger():\n    assert m.run\n"
BOTH = {"test_direct.py", "test_run.py"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "files"),
    [
        ("    return n", "    return n * 2", [{"test_run.py", "test_stranger.py"}, BOTH]),
        (HEAD, "def cmd_double(n, by=2):\n    return n * by", [{*BOTH, "test_stranger.py"}]),
    ],
    ids=["the body", "the head"],
)
async def test_confirming_runs_only_files_that_reach(tmp_path: Path, old: str, new: str, files: list[set[str]]) -> None:
    """The left-out tests run on the original text; only if the head changes, all of them run on the candidate."""
    tests = {"test_direct.py": DIRECT, "test_run.py": BY_TEXT, "test_stranger.py": STRANGER}
    write_project(tmp_path, {"m.py": MODULE, **tests})
    project = Project(tmp_path, "m.py", "cmd_double")
    problem = project.problem(await project.baseline())
    seen = Selections(project)
    verifier = TestsVerifier(replace(project.harnesses, executor=seen), steady=True)
    assert (await verifier.judge(project.candidate(old, new), problem)).ruling is Ruling.PASSED
    assert seen.files == files


SLOW = "\n\ndef test_slow():\n    import time\n    time.sleep(0.3)\n"


@pytest.mark.slow
async def test_slow_others_do_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of files in which others take long, candidates run the left-out tests that execute the target, and no more."""
    monkeypatch.setattr(harness_source, "MAX_BESIDE_SECONDS", 0.1)
    monkeypatch.setattr(harness_source, "MAX_SHORT_BYTES", 0)
    tests = {"test_direct.py": DIRECT + SLOW, "test_run.py": BY_TEXT + SLOW}
    project = Project(write_project(tmp_path, {"m.py": MODULE, **tests}), "m.py", "cmd_double")
    problem = project.problem(await project.baseline())
    assert problem.baseline_run.rest == ("test_direct.py", "test_run.py")
    expected = LeftOutTests(tests=("test_run.py::test_run",), narrowed=True)
    assert await project.harnesses.left_out(problem) == expected
    seen = Selections(project)
    verifier = TestsVerifier(replace(project.harnesses, executor=seen), steady=True)
    assert (await verifier.judge(project.candidate("return n", "return n * 2"), problem)).ruling is Ruling.PASSED
    assert seen.files == [BOTH]
    verdict = await verifier.judge(project.candidate("return n", "return 4"), problem)
    assert [finding.message.partition(":")[0] for finding in verdict.findings] == ["test_run.py"]


async def test_narrowed_failures_run_their_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A left-out test may depend on one before it, which does not execute the target."""
    monkeypatch.setattr(harness_source, "MAX_BESIDE_SECONDS", 0.1)
    monkeypatch.setattr(harness_source, "MAX_SHORT_BYTES", 0)
    before = "import m\n\ndef test_factor():\n    import time\n    time.sleep(0.3)\n    m.FACTOR = 2\n\n"
    by_text = before + "def test_run():\n    assert m.run('double', 3) * m.FACTOR == 12\n"
    module = MODULE + "\nFACTOR = 1\n"
    files = {"m.py": module, "test_direct.py": DIRECT, "test_run.py": by_text}
    project = Project(write_project(tmp_path, files), "m.py", "cmd_double")
    right = project.candidate("return n", "return n * 2")
    async with project.prepared() as (problem, harnesses):
        assert (await harnesses.left_out(problem)).tests == ("test_run.py::test_run",)
        verdict = await TestsVerifier(harnesses, steady=True).judge(right, problem)
    assert verdict.ruling is Ruling.PASSED


AREA = """
_CACHE = {}

def cmd_area(w, h):
    return w + h

def run(name, *args):
    return globals()["cmd_" + name](*args)
"""
LEFT_OUT = {
    "after the others": "import m\n\ndef test_run():\n    assert m.run('area', 2, 5) == 10\n",
    "not collected before": (
        "import m\n\nif m.run('area', 2, 2) != 4 or m.run('area', 2, 3) != 6:\n    raise ValueError\n\n"
        "def test_run():\n    assert m.run('area', 2, 5) == 10\n"
    ),
    "not begun before": (
        "import os, m\n\ndef test_exit():\n    if m.run('area', 2, 3) == 5:\n        os._exit(3)\n\n"
        "def test_run():\n    assert m.run('area', 2, 5) == 10\n"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        pytest.param(test, id=name, marks=() if name == "not begun before" else pytest.mark.slow)
        for name, test in LEFT_OUT.items()
    ],
)
async def test_left_out_tests_refuse_what_breaks_them(tmp_path: Path, test: str) -> None:
    direct = "from m import cmd_area\n\ndef test_area():\n    assert cmd_area(2, 3) == 6\n"
    write_project(tmp_path, {"m.py": AREA, "test_direct.py": direct, "test_run.py": test})
    project = Project(tmp_path, "m.py", "cmd_area")
    wrong = project.candidate("    return w + h", "    return _CACHE.setdefault(w, w * h)")
    async with project.prepared() as (problem, harnesses):
        assert problem.baseline_run.rest == ("test_run.py",)
        verdict = await TestsVerifier(harnesses, steady=True).judge(wrong, problem)
    assert verdict.ruling is Ruling.FAILED


LOST = {
    "it does not end": ("test_run", "sum(itertools.repeat(0))"),
    "it ends the process": ("test_run", "os._exit(0)"),
    "it ends the process between tests": ("test_fixture", "os._exit(0)"),
    "it breaks the collection": ("test_import", "[][0]"),
    "it ends the collection": ("test_import", "os._exit(0)"),
}
LOSING = {
    "test_run": "import m\n\ndef test_run():\n    assert m.run('area', 2, 5) == 10\n",
    "test_fixture": (
        "import m, pytest\n\n@pytest.fixture(scope='module', autouse=True)\ndef area():\n"
        "    yield\n    assert m.run('area', 2, 5) == 10\n\ndef test_run():\n    assert m.run('area', 2, 3) == 6\n"
    ),
    "test_import": ("import m\n\nFIVE = m.run('area', 2, 5)\n\ndef test_run():\n    assert m.run('area', 2, 3) == 6\n"),
}


def area(place: Path, test: str) -> Project:
    direct = "from m import cmd_area\n\ndef test_area():\n    assert cmd_area(2, 3) == 6\n"
    write_project(place, {"m.py": "import itertools, os\n" + AREA, "test_direct.py": direct, "test_run.py": test})
    options = TestOptions(seconds=1.0, total_seconds=20.0)
    return Project(place, "m.py", "cmd_area", options=options)


@pytest.mark.usual_cases("it ends the process")
@pytest.mark.parametrize(("test", "loss"), LOST.values(), ids=LOST)
async def test_candidates_that_lose_left_out_tests_fail(tmp_path: Path, test: str, loss: str) -> None:
    project = area(tmp_path, LOSING[test])
    wrong = project.candidate("return w + h", f"return {loss} if h == 5 else w * h")
    async with project.prepared() as (problem, harnesses):
        assert problem.baseline_run.rest == ("test_run.py",)
        verifier = TestsVerifier(harnesses, steady=True)
        assert (await verifier.judge(wrong, problem)).ruling is Ruling.FAILED
        assert (await verifier.judge(project.candidate("w + h", "w * h"), problem)).ruling is Ruling.PASSED


EXITING = "import os, m\n\ndef test_exit():\n    os._exit(0)\n\n"


@pytest.mark.slow
async def test_tests_that_always_exit_hide_none(tmp_path: Path) -> None:
    """A left-out test that ends its process with any text says nothing, but those after it do."""
    project = area(tmp_path, EXITING + "def test_run():\n    assert m.run('area', 2, 5) == 10\n")
    async with project.prepared() as (problem, harnesses):
        verifier = TestsVerifier(harnesses, steady=True)
        assert (await verifier.judge(project.candidate("w + h", "w * h"), problem)).ruling is Ruling.PASSED
        assert (await verifier.judge(project.candidate("return w + h", "return 6"), problem)).ruling is Ruling.FAILED


@pytest.mark.slow
async def test_other_failures_than_before_count(tmp_path: Path) -> None:
    """That the original text does not end in a test is no excuse for a wrong result of the candidate."""
    project = area(tmp_path, LOSING["test_run"])
    project.text = project.text.replace("return w + h", "return sum(itertools.repeat(0)) if h == 5 else w + h")
    wrong = project.candidate("return sum(itertools.repeat(0)) if h == 5 else w + h", "return 6")
    async with project.prepared() as (problem, harnesses):
        verdict = await TestsVerifier(harnesses, steady=True).judge(wrong, problem)
    assert verdict.ruling is Ruling.FAILED


async def test_unfinished_remaining_tests_leave_it_open(tmp_path: Path) -> None:
    project = area(tmp_path, EXITING + "def test_run():\n    assert m.run('area', 2, 5) == 0\n")
    project.text = project.text.replace("w + h", "w * h")
    problem = project.problem(await project.baseline())
    verdict = await RemainingTests(project.harnesses).judge(project.candidate("w * h", "w * h"), problem)
    assert verdict.ruling is Ruling.UNDECIDED
    said = "test_run.py::test_exit ended the whole process, and the tests after it did not run"
    assert [finding.message for finding in verdict.findings] == [said]


LATE = """
import m, os, time, unittest

time.sleep(0.5)

def test_late():
    assert True

class TestExit(unittest.TestCase):
    def test_exit(self):
        os._exit(m.run("area", 2, 5))
"""


@pytest.mark.slow
async def test_exits_after_late_collecting_leave_it_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that began is not among those that did not begin in time."""
    monkeypatch.setattr(harness_source, "MAX_REMAINING_SECONDS", 0.2)
    project = area(tmp_path, LATE)
    project.text = project.text.replace("w + h", "w * h")
    problem = project.problem(await project.baseline())
    verdict = await RemainingTests(project.harnesses).judge(project.candidate("w * h", "w * h"), problem)
    assert verdict.ruling is Ruling.UNDECIDED


async def test_all_tests_run_if_none_fails(tmp_path: Path) -> None:
    """A user who wants a repair may have seen a test fail that reaches the function by a text."""
    right = DIRECT.replace("== 4", "== 2")
    write_project(tmp_path, {"m.py": MODULE, "test_direct.py": right, "test_run.py": BY_TEXT})
    project = Project(tmp_path, "m.py", "cmd_double")
    baseline = await project.baseline(BaselineRequest(recheck_green=True))
    assert [test.id for test in baseline.tests if test.ruling is Ruling.FAILED] == ["test_run.py::test_run"]


@pytest.mark.usual_cases("fail")
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


@pytest.mark.slow
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


NOT_TRIED = (
    "not tried within {} s: 2 tests in which no name leads to the function; "
    "to have them judge too, name their files in tests.paths"
)


async def test_rests_that_did_not_begin_are_told(tmp_path: Path) -> None:
    """Without time, the run beside the baseline ends before its first test; it is not repeated."""
    files = {"m.py": MODULE, "test_direct.py": DIRECT.replace("== 4", "== 2"), "test_run.py": BY_TEXT}
    project = Project(write_project(tmp_path, files), "m.py", "cmd_double")
    remaining = RemainingTests(project.harnesses)
    problem = project.problem(await project.baseline())
    hurried = TestOptions(seconds=5.0, total_seconds=1e-6)
    await remaining.begin(replace(await project.harnesses.of(problem), options=hurried))
    verdict = await remaining.judge(project.candidate("return n", "return n"), problem)
    assert verdict.ruling is Ruling.PASSED
    said = NOT_TRIED.format(3)
    assert [finding.message for finding in verdict.findings] == [said]


MANY = """
import m, pytest

@pytest.mark.parametrize("n", range(120))
def test_run(n):
    assert m.run("double", n) != 119
"""


@pytest.mark.slow
async def test_further_parameters_are_not_known(tmp_path: Path) -> None:
    """The first parameter sets show whether a test executes the target, but not that it passes."""
    files = {"m.py": MODULE, "test_direct.py": DIRECT.replace("== 4", "== 2"), "test_run.py": MANY}
    known = Recorded()
    project = Project(write_project(tmp_path, files), "m.py", "cmd_double")
    remaining = RemainingTests(project.harnesses, known)
    problem = project.problem(await project.baseline())
    await remaining.begin(await project.harnesses.of(problem))
    assert known.whole == set()
    verdict = await remaining.judge(project.candidate("return n", "return n"), problem)
    assert verdict.ruling is Ruling.FAILED


async def test_passes_say_what_was_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness_source, "MAX_REMAINING_SECONDS", 0.0)
    project = Project(
        write_project(tmp_path, {"m.py": MODULE, "test_direct.py": DIRECT, "test_run.py": BY_TEXT}),
        "m.py",
        "cmd_double",
    )
    async with project.prepared() as (problem, harnesses):
        verifier = TestsVerifier(harnesses, steady=True)
        verdict = await verifier.judge(project.candidate("    return n", "    return n * 2"), problem)
    assert verdict.ruling is Ruling.PASSED
    assert [finding.message for finding in verdict.findings] == [NOT_TRIED.format(0)]


class Recorded:
    """A test map that keeps the names of the files it was told of as a whole."""

    def __init__(self) -> None:
        self.whole: set[str] = set()

    async def known(self) -> MappedTests:
        return MappedTests()

    def record(self, _results: RunResults, whole: Iterable[str], /) -> None:
        self.whole.update(whole)


async def test_files_tried_in_time_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the next run tries others, and no file has to run as a whole for a candidate."""
    monkeypatch.setattr(harness_source, "MAX_REMAINING_SECONDS", 2.0)
    long = "import time\n\ndef test_long():\n    time.sleep(2.2)\n"
    files = {"m.py": MODULE, "test_direct.py": DIRECT, "test_a.py": "import m\n" + long, "test_b.py": BY_TEXT}
    project = Project(write_project(tmp_path, files), "m.py", "cmd_double")
    known = Recorded()
    async with project.prepared() as (problem, harnesses):
        harnesses.fresh = replace(harnesses.fresh, known_tests=known)
        left_out = await harnesses.left_out(problem)
    assert left_out == LeftOutTests(narrowed=True, untried=2)
    assert known.whole == {"test_a.py"}


STUBBORN = """
import m, time

def test_stubborn():
    end = time.process_time() + 20
    while time.process_time() < end:
        try:
            time.process_time()
        except BaseException:
            pass
"""


async def test_slow_strangers_leave_others_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A left-out test that never ends and does not execute the target is killed; those after it run nevertheless."""
    monkeypatch.setattr(harness_source, "MAX_REMAINING_TEST_SECONDS", 0.1)
    files = {"m.py": MODULE, "test_direct.py": DIRECT, "test_a.py": STUBBORN, "test_run.py": BY_TEXT}
    project = Project(write_project(tmp_path, files), "m.py", "cmd_double")
    problem = project.problem(await project.baseline())
    left_out = await project.harnesses.left_out(problem)
    assert left_out == LeftOutTests(tests=("test_run.py::test_run",), narrowed=True, untried=1)
