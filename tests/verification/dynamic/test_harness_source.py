"""The harness of a problem's tests: warm where that changes nothing, with a reason where it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from _pytest.mark import ParameterSet

from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier, TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.problem import Baseline, Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.projects import Project, write_project

DOUBLE = """\
def double(number):
    return number + number + 1
"""

TESTS = """\
from double import double

def test_double():
    assert double(3) == 6

def test_nought():
    assert double(0) == 0
"""

RIGHT = ("number + number + 1", "number * 2")
WRONG = ("number + number + 1", "number + 2")


def build(root: Path, files: Mapping[str, str], *, options: TestOptions | None = None) -> Project:
    write_project(root, {"double.py": DOUBLE, "test_double.py": TESTS, **files})
    return Project(root, "double.py", "double", options or TestOptions(seconds=5.0, total_seconds=40.0))


async def judged(project: Project, problem: Problem, *, doctests: bool = False) -> list[Verdict]:
    """Return the verdicts on a right and a wrong candidate, warm if possible; each is that of fresh processes."""
    kind = DoctestsVerifier if doctests else TestsVerifier
    candidates = [project.candidate(*RIGHT), project.candidate(*WRONG)]
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        verdicts = [await kind(harnesses).judge(candidate, problem) for candidate in candidates]
    for candidate, verdict in zip(candidates, verdicts, strict=True):
        fresh = await kind(project.harnesses).judge(candidate, problem)
        assert _plain(verdict) == _plain(fresh)
    return verdicts


def _plain(verdict: Verdict) -> Verdict:
    assert verdict.tests is not None
    return replace(verdict, seconds=0.0, tests=replace(verdict.tests, cold=""))


def reasons(verdicts: list[Verdict]) -> set[str]:
    """Return the reasons for which runs were not warm; an empty reason for those that were."""
    return {verdict.tests.cold for verdict in verdicts if verdict.tests is not None}


def _rows(kinds: Mapping[str, dict[str, str]]) -> list[ParameterSet]:
    """A row for each kind of project; each takes so many runs of pytest that only the first is tried every time."""
    first, *others = kinds.items()
    slow = [pytest.param(files, id=name, marks=pytest.mark.slow) for name, files in others]
    return [pytest.param(first[1], id=first[0]), *slow]


ORDINARY = {
    "plain": {},
    "a conftest that imports the target": {"conftest.py": "from double import double\n"},
    "fixtures of the session, used by themselves": {
        "conftest.py": """
            import pytest

            made = []

            @pytest.fixture(scope="session", autouse=True)
            def ground(tmp_path_factory):
                made.append(tmp_path_factory.mktemp("ground"))
                (made[-1] / "file").write_text("here")
                yield
                assert (made.pop() / "file").read_text() == "here"

            @pytest.fixture(autouse=True)
            def each(ground):
                assert len(made) == 1
        """
    },
    "hooks around the session": {
        "conftest.py": """
            state = []

            def pytest_sessionstart(session):
                state.append("started")

            def pytest_collection_finish(session):
                assert state == ["started"]

            def pytest_sessionfinish(session, exitstatus):
                assert state == ["started"]
        """
    },
    "a plug-in of the project's own": {
        "pyproject.toml": """
            [tool.pytest.ini_options]
            addopts = "-p plugin --strict-markers"
            markers = ["quick"]
        """,
        "plugin.py": """
            import pytest

            def pytest_collection_modifyitems(items):
                for item in items:
                    item.add_marker(pytest.mark.quick)
        """,
    },
    "conftests in folders": {
        "test_double.py": "",
        "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef three():\n    return 3\n",
        "tests/inner/conftest.py": "import pytest\n\n@pytest.fixture\ndef three():\n    return 1 + 2\n",
        "tests/inner/test_it.py": "from double import double\n\ndef test_it(three):\n    assert double(three) == 6\n",
        "tests/test_other.py": "from double import double\n\ndef test_it(three):\n    assert double(three) == 6\n",
        "tests/pytest.ini": "[pytest]\n",
    },
    "a test class of unittest's": {
        "test_double.py": """
            import unittest
            from double import double

            class TestDouble(unittest.TestCase):
                @classmethod
                def setUpClass(cls):
                    cls.number = 3

                def test_it(self):
                    self.assertEqual(double(self.number), 6)
        """
    },
    "the tests in the target's own file": {
        "double.py": DOUBLE + "\n\ndef test_here():\n    assert double(3) == 6\n",
        "pyproject.toml": '[tool.pytest.ini_options]\npython_files = ["double.py", "test_*.py"]\n',
    },
    "a file that stays open at import": {
        "notes.txt": "one\nthree\n",
        "conftest.py": "import sys\nnotes = open(sys.path[0] + '/notes.txt')\n",
    },
}


@pytest.mark.parametrize("files", _rows(ORDINARY))
async def test_warm_verdicts_equal_fresh_ones(tmp_path: Path, files: dict[str, str]) -> None:
    project = build(tmp_path, files)
    verdicts = await judged(project, project.problem(await project.baseline()))
    assert [verdict.ruling for verdict in verdicts] == [Ruling.PASSED, Ruling.FAILED]
    assert reasons(verdicts) == {""}


ODD = {
    "a conftest that remembers its process": {
        "conftest.py": "import os\nmine = os.getpid()\n",
        "test_double.py": "import os\nimport conftest\nfrom double import double\n\n"
        "def test_it():\n    assert conftest.mine == os.getpid()\n    assert double(3) == 6\n",
    },
    "a conftest that imports the target and forgets it": {
        "conftest.py": """
            import sys
            from double import double
            del sys.modules["double"]
        """
    },
    "a database that is open at import": {
        "conftest.py": """
            import os, sqlite3, tempfile
            import pytest

            place = os.path.join(tempfile.mkdtemp(), "database")
            connection = sqlite3.connect(place)
            connection.execute("create table words (word)")
            connection.commit()

            @pytest.fixture
            def words():
                connection.execute("insert into words values ('one')")
                connection.commit()
                return [word for word, in connection.execute("select word from words")]
        """,
        "test_double.py": TESTS + "\n\ndef test_words(words):\n    assert words == ['one'] * double(0) or words\n",
    },
    "an open file that a test reads on": {
        "notes.txt": "4\n",
        "conftest.py": "import sys\nnotes = open(sys.path[0] + '/notes.txt')\n",
        "test_double.py": TESTS + "\n\ndef test_notes():\n    import conftest\n"
        "    assert double(3) == 2 + int(conftest.notes.readline())\n",
    },
    "a conftest that runs a thread": {
        "conftest.py": """
            import threading

            stop = threading.Event()
            threading.Thread(target=stop.wait, daemon=True).start()
        """,
        "test_double.py": TESTS + "\n\ndef test_thread():\n    import threading\n"
        "    assert double(0) == 0 and threading.active_count() >= 2\n",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("files", _rows(ODD))
async def test_odd_projects_are_judged_as_fresh(tmp_path: Path, files: dict[str, str]) -> None:
    """A process copied from a prepared one lacks something that their tests need."""
    project = build(tmp_path, files)
    verdicts = await judged(project, project.problem(await project.baseline()))
    assert [verdict.ruling for verdict in verdicts] == [Ruling.PASSED, Ruling.FAILED]


async def test_tests_differing_when_warm_run_cold(tmp_path: Path) -> None:
    """The reason is given."""
    lazily = """
        import sys
        from double import double

        def test_double():
            assert "wave" not in sys.modules
            import wave
            assert double(3) == 6

        def test_nothing():
            assert double(0) == 0
    """
    project = build(tmp_path, {"test_double.py": lazily, "double.py": DOUBLE.replace(" + 1", "")})
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        verdict = await TestsVerifier(harnesses).judge(project.candidate("number + number", "2 * number"), problem)
    assert verdict.ruling is Ruling.PASSED
    assert reasons([verdict]) == {"test_double.py::test_double has another result in a prepared process"}


STARTED = """\
import subprocess, sys
from double import double

def test_it():
    said = subprocess.run([sys.executable, "-c", "print(4)"], capture_output=True, text=True, check=True).stdout
    assert double(0) == 0 and int(said) == 4

def test_other():
    subprocess.run([sys.executable, "-c", ""], check=True)
    assert double(0) >= 0
"""


async def test_tests_that_start_programs_run_cold(tmp_path: Path) -> None:
    """The reason is given."""
    project = build(tmp_path, {"test_double.py": STARTED})
    problem = project.problem(await project.baseline())
    assert problem.baseline.policy == "subprocess"
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(problem)
    assert (harness.preparation, harness.cold) == (None, "its tests run under the policy subprocess")


@pytest.mark.slow
async def test_verdicts_under_another_policy_are_fresh(tmp_path: Path) -> None:
    project = build(tmp_path, {"test_double.py": STARTED})
    verdicts = await judged(project, project.problem(await project.baseline()))
    assert reasons(verdicts) == {"its tests run under the policy subprocess"}


async def test_examples_alone_run_warm(tmp_path: Path) -> None:
    examples = (
        'def double(number):\n    """Twice.\n\n    >>> double(2)\n    4\n    """\n    return number + number + 1\n'
    )
    write_project(tmp_path, {"double.py": examples})
    project = Project(tmp_path, "double.py", "double", TestOptions(seconds=5.0, total_seconds=40.0))
    problem = project.problem(await project.baseline())
    assert [test.is_doctest for test in problem.baseline.tests] == [True]
    verdicts = await judged(project, problem, doctests=True)
    assert [verdict.ruling for verdict in verdicts] == [Ruling.PASSED, Ruling.PASSED]
    assert reasons(verdicts) == {""}


@pytest.mark.slow
async def test_hanging_tests_are_not_rehearsed(tmp_path: Path) -> None:
    endless = """
        def double(number):
            while number:
                pass
            return number + number + 1
    """
    files = {"double.py": endless, "test_double.py": TESTS + "\n\ndef test_three():\n    assert double(3) == 6\n"}
    project = build(tmp_path, files, options=TestOptions(seconds=0.5, total_seconds=40.0))
    problem = project.problem(await project.baseline())
    messages = [test.message for test in problem.baseline.tests]
    assert sum("did not end within" in message for message in messages) == 2
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(problem)
        assert harness.cold == ""
        repaired = project.text.replace("    while number:\n        pass\n", "").replace(" + 1", "")
        whole = replace(project.candidate("+ 1", ""), text=repaired)
        verdict = await TestsVerifier(harnesses).judge(whole, problem)
    assert verdict.ruling is Ruling.PASSED
    assert reasons([verdict]) == {""}


@pytest.mark.slow
async def test_a_cancelled_rehearsal_is_repeated(tmp_path: Path) -> None:
    project = build(tmp_path, {})
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        for number in range(4):
            with anyio.move_on_after(number * 0.1):
                await harnesses.of(problem)
        harness = await harnesses.of(problem)
        assert harness.preparation is not None
        assert harness.cold == ""


async def test_another_problem_is_judged_in_fresh_processes(tmp_path: Path) -> None:
    project = build(tmp_path, {})
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(replace(problem, unsaved={"other.py": ""}))
        assert (harness.preparation, harness.cold) == (None, "")


async def test_exceptions_inside_the_block_propagate(tmp_path: Path) -> None:
    project = build(tmp_path, {})
    problem = project.problem(await project.baseline())

    async def fail() -> None:
        async with warm_harnesses(project.harnesses, problem) as harnesses:
            await harnesses.of(problem)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()


async def test_candidates_of_several_files_run_cold(tmp_path: Path) -> None:
    project = build(tmp_path, {})
    problem = replace(project.problem(Baseline()), others=frozenset({"other.py"}))
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        harness = await harnesses.of(problem)
    assert harness.preparation is None
    assert "no process can be prepared for" in harness.cold
