"""Only tests of the target decide which policy candidates get, and pytest itself needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.dynamic.harness import Selection, run_program
from certo.verification.dynamic.results import RunResults
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
