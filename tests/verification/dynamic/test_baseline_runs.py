"""Only tests of the target decide which policy candidates get, and pytest itself needs none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from certo.concurrency import background_tasks
from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.baseline import BaselineRequest
from certo.verification.dynamic.baseline_runs import run_with_needed_files
from certo.verification.dynamic.harness import Selection, run_program
from certo.verification.dynamic.results import RunResults
from certo.verification.dynamic.test_map import MappedTests
from certo.verification.dynamic.warm_pool import WarmPool
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

CODE = "def double(n):\n    return n * 2\n"
DOUBLE = "import subprocess, sys\nfrom m import double\n\ndef test_double():\n    assert double(2) == 4\n"
STARTS = "\ndef test_starts():\n    assert double\n    subprocess.run([sys.executable, '-c', ''], check=True)\n"
USES = STARTS.replace("    assert double\n", "    assert double(1) == 2\n")


@pytest.mark.parametrize(("other", "policy"), [(STARTS, "strict"), (USES, "subprocess")], ids=["unrelated", "related"])
async def test_tests_of_the_target_decide_the_policy(tmp_path: Path, other: str, policy: str) -> None:
    write_project(tmp_path, {"m.py": CODE, "test_m.py": DOUBLE + other})
    baseline = await Project(tmp_path, "m.py", "double").baseline()
    assert baseline.policy == policy
    assert {test.ruling for test in baseline.tests} == {Ruling.PASSED}


@pytest.mark.bubblewrap
async def test_tests_of_others_are_allowed_once(tmp_path: Path) -> None:
    """A test that passes under a weaker policy, and does not run the target, is not tried under a third one."""
    write_project(tmp_path, {"m.py": CODE, "test_m.py": DOUBLE + STARTS})
    trace = RunTrace()
    executor = TracedExecutor(BubblewrapExecutor(SandboxOptions(), await find_bubblewrap()), trace)
    baseline = await Project(tmp_path, "m.py", "double", executor=executor).baseline()
    assert baseline.policy == "strict"
    assert [run.work.policy.value for run in trace.runs] == ["strict", "subprocess"]
    assert len(executor.policies) > 2


async def test_warnings_as_errors_need_no_weaker_policy(tmp_path: Path) -> None:
    """Pytest changes the mode of its cache's directory if it makes it, and warns if it may not."""
    configured = "[pytest]\nfilterwarnings = error\n"
    write_project(tmp_path, {"m.py": CODE, "test_m.py": DOUBLE, "pytest.ini": configured})
    baseline = await Project(tmp_path, "m.py", "double").baseline()
    assert (baseline.policy, baseline.problems) == ("strict", ())


SEEN = "SEEN = []\n\ndef pytest_generate_tests(metafunc):\n    SEEN.append(metafunc.function.__name__)\n"
SEES = """\
from conftest import SEEN
from m import double

class TestAll:
    def test_double(self):
        assert double(2) == 4
        assert SEEN == ["test_double"]

    def test_other(self):
        assert SEEN
"""


async def test_unneeded_functions_become_no_tests(tmp_path: Path) -> None:
    """They are neither those that no name leads to, in a baseline, nor those that a run is not for."""
    write_project(tmp_path, {"m.py": CODE, "conftest.py": SEEN, "test_m.py": SEES})
    project = Project(tmp_path, "m.py", "double")
    baseline = await project.baseline()
    assert [(test.id, test.message) for test in baseline.tests] == [("test_m.py::TestAll::test_double", "")]
    harness = await project.harnesses.of(project.problem(baseline))
    selection = Selection(paths=("test_m.py",), ids=("test_m.py::TestAll::test_double",))
    results = RunResults()
    await run_program("suite", harness, harness.base, selection, results, seconds=10.0)
    assert [(case.id, case.message) for case in results.tests.values()] == [("test_m.py::TestAll::test_double", "")]


BY_NAME = "from m import double\n\ndef test_double():\n    assert double(2) == 4\n"
IN_TURN = """\
import m

DONE = []

def test_double():
    assert m.double(2) == 4
    DONE.append(2)

def test_by_text():
    assert DONE == [2]
    assert getattr(m, "dou" + "ble")(3) == 7
"""
BY_WAY = "from way import four_times\n\ndef test_four_times():\n    assert four_times(3) == 13\n"
WAY = "import m\n\ndef four_times(n):\n    return getattr(m, 'dou' + 'ble')(2 * n)\n"


class Recording:
    """A test map that knows nothing, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[RunResults, set[str]]] = []

    async def known(self) -> MappedTests:
        return MappedTests()

    def record(self, results: RunResults, whole: Iterable[str], /) -> None:
        self.told.append((results, set(whole)))


async def test_widened_baseline_repeats_no_test(tmp_path: Path) -> None:
    """No test that a name leads to fails, so the others run as well, and both are in the test map."""
    write_project(tmp_path, {"m.py": CODE, "way.py": WAY, "test_m.py": BY_NAME, "test_way.py": BY_WAY})
    trace, recording = RunTrace(), Recording()
    project = Project(tmp_path, "m.py", "double", executor=TracedExecutor(LocalExecutor(SandboxOptions()), trace))
    async with background_tasks() as group:
        request = BaselineRequest(recheck_green=True, warm=WarmPool(group), known_tests=recording)
        baseline = await project.baseline(request)
    assert {test.id: test.ruling for test in baseline.tests} == {
        "test_m.py::test_double": Ruling.PASSED,
        "test_way.py::test_four_times": Ruling.FAILED,
    }
    skipped = [run.work.request["skip"] for run in trace.runs if run.work.request.get("program") == "baseline"]
    assert skipped == [[], ["test_m.py::test_double"]]
    [(results, whole)] = recording.told
    assert whole == {"test_m.py", "test_way.py"}
    executed = results.executed
    files = {test: {executed.pieces[place][0] for place in places} for test, places in executed.tests.items()}
    assert files == {
        "test_m.py::test_double": {"test_m.py", "m.py"},
        "test_way.py::test_four_times": {"test_way.py", "way.py", "m.py"},
    }


async def test_widened_baseline_runs_whole_files(tmp_path: Path) -> None:
    """The second test of the file needs the first, which has a result already."""
    write_project(tmp_path, {"m.py": CODE, "test_m.py": IN_TURN})
    project = Project(tmp_path, "m.py", "double")
    async with background_tasks() as group:
        baseline = await project.baseline(BaselineRequest(recheck_green=True, warm=WarmPool(group)))
    assert {test.id: test.message for test in baseline.tests} == {
        "test_m.py::test_double": "",
        "test_m.py::test_by_text": "assert 6 == 7, where 6 = double(3)",
    }


@pytest.mark.parametrize("spoil", ["cold", "unrecorded"])
async def test_results_are_kept_only_when_alike(tmp_path: Path, spoil: str) -> None:
    """Not those of another kind of process, and not those of which it is unknown what they executed."""
    write_project(tmp_path, {"m.py": CODE, "way.py": WAY, "test_m.py": BY_NAME, "test_way.py": BY_WAY})
    trace = RunTrace()
    project = Project(tmp_path, "m.py", "double", executor=TracedExecutor(LocalExecutor(SandboxOptions()), trace))
    baseline = await project.baseline()
    harness = replace((await project.harnesses.of(project.problem(baseline))).fresh, recorded=True)
    trace.runs.clear()
    first = await run_with_needed_files(harness, None)
    if spoil == "cold":
        first = replace(first, finished=replace(first.finished, cold="conftest.py has changed"))
    else:
        first.results.executed.complete = False
    whole = await run_with_needed_files(harness, None, after=first)
    assert trace.runs[-1].work.request["skip"] == []
    assert set(whole.results.tests) == {"test_m.py::test_double", "test_way.py::test_four_times"}
