"""Red tests that count against the target, and obstacles to running: on real projects, with real pytest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.verification.options import TestOptions
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter
from support.projects.environments import make_environment
from support.projects.projects import Project, standing, write_project


async def test_unrelated_failures_are_set_aside(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": """\
                def double(x):
                    return x + 2

                def other(x):
                    return {}["missing"]
                """,
            "test_sums.py": """\
                import pytest
                from sums import double, other

                @pytest.fixture
                def broken():
                    raise RuntimeError("no database")

                @pytest.fixture
                def unclean():
                    yield
                    raise RuntimeError("still there")

                def test_double():
                    assert double(3) == 6

                def test_that_only_shares_the_file():
                    assert False

                def made():
                    return double(1)

                def test_before_it_comes_to_the_target():
                    assert False
                    made()

                def test_setup(broken):
                    assert double(3) == 6

                def test_teardown(unclean):
                    assert double(2) == 4

                def test_raised_elsewhere():
                    assert double(2) == 4
                    other(1)
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_double": "failed"}
    assert {test.id.partition("::")[2]: test.message for test in baseline.set_aside} == {
        "test_before_it_comes_to_the_target": "assert False",
        "test_setup": "RuntimeError: no database",
        "test_teardown": "RuntimeError: still there",
        "test_raised_elsewhere": "KeyError: 'missing'",
    }


async def test_inherited_tests_and_shared_checks_count(tmp_path: Path) -> None:
    """A failing test counts if a class inherits it from another file, or if a helper of the tests asserts for it."""
    write_project(
        tmp_path,
        {
            "conftest.py": "",
            "sums.py": "def double(x):\n    return x + 2\n",
            "contract.py": """\
                class Contract:
                    def test_it(self):
                        assert self.function(3) == 6
                """,
            "tests/checks.py": "def check(found):\n    assert found == 6\n",
            "tests/test_sums.py": """\
                from checks import check
                from contract import Contract
                from sums import double

                class TestDouble(Contract):
                    function = staticmethod(double)

                def test_checked():
                    check(double(3))

                def test_directly():
                    assert double(3) == 6
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    names = ("TestDouble::test_it", "test_checked", "test_directly")
    assert standing(baseline) == {f"tests/test_sums.py::{name}": "failed" for name in names}


async def test_bracketed_files_do_not_stop_others(tmp_path: Path) -> None:
    """Pytest takes no argument with a bracket in its path, and would refuse to run at all."""
    text = "from sums import double\n\ndef test_it():\n    assert double(3) == 6\n"
    files = {"sums.py": "def double(x):\n    return x + 2\n", "test_[x].py": text, "test_sums.py": text}
    baseline = await Project(write_project(tmp_path, files), "sums.py", "double").baseline()
    assert standing(baseline) == {"test_sums.py::test_it": "failed"}
    assert any("test_[x].py" in each for each in baseline.problems), baseline


async def test_errors_raised_elsewhere_can_count(tmp_path: Path) -> None:
    """They do when no other red test speaks of the target."""
    write_project(
        tmp_path,
        {
            "sums.py": """\
                def key(x):
                    return x + 1

                def look(x):
                    return {1: "one"}[x]
                """,
            "test_sums.py": "from sums import key, look\n\ndef test_look():\n    assert look(key(1)) == 'one'\n",
        },
    )
    baseline = await Project(tmp_path, "sums.py", "key").baseline()
    assert standing(baseline) == {"test_sums.py::test_look": "failed"}
    assert baseline.set_aside == ()


async def test_fixture_failures_in_the_target_count(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def make():\n    ...\n    raise NotImplementedError\n",
            "test_sums.py": """\
                import pytest
                from sums import make

                @pytest.fixture(scope="module")
                def made():
                    return make()

                def test_one(made):
                    assert made == 1

                def test_two(made):
                    assert made + 1 == 2
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "make").baseline()
    assert standing(baseline) == {"test_sums.py::test_one": "failed", "test_sums.py::test_two": "failed"}


async def test_wide_fixtures_reach_for_their_tests(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def make():\n    return 1\n",
            "test_sums.py": """\
                import pytest
                import sums

                @pytest.fixture(scope="session")
                def made():
                    return sums.make()

                def test_one(made):
                    assert made == 1

                def test_two(made):
                    assert made == 2

                def test_without():
                    pass
                """,
        },
    )
    baseline = await Project(tmp_path, "sums.py", "make").baseline()
    assert standing(baseline) == {"test_sums.py::test_one": "passed", "test_sums.py::test_two": "failed"}


async def test_tests_after_a_hang_are_run(tmp_path: Path) -> None:
    """The hanging test is red."""
    write_project(
        tmp_path,
        {
            "sums.py": """\
                def count(x):
                    while x != 0:
                        x -= 2
                    return 0
                """,
            "test_sums.py": """\
                from sums import count

                def test_odd():
                    assert count(3) == 0

                def test_odd_again():
                    assert count(5) == 0

                def test_even():
                    assert count(4) == 0
                """,
        },
    )
    options = TestOptions(seconds=1.2, total_seconds=20.0)
    baseline = await Project(tmp_path, "sums.py", "count", options).baseline()
    assert standing(baseline) == {
        "test_sums.py::test_odd": "failed",
        "test_sums.py::test_odd_again": "failed",
        "test_sums.py::test_even": "passed",
    }
    assert [test.message for test in baseline.failing] == ["did not end within 1.2 s", "did not end within 1 s"]
    assert baseline.problems == ()


@pytest.mark.slow
async def test_tests_after_a_crash_are_run(tmp_path: Path) -> None:
    """A test that takes the process with it is red."""
    write_project(
        tmp_path,
        {
            "sums.py": """\
                import os

                def leave(x):
                    '''
                    >>> leave(0)
                    0
                    '''
                    if x == 2:
                        while True:
                            try:
                                sum(range(10**12))
                            except BaseException:
                                pass
                    return os._exit(3) if x else 0
                """,
            "test_sums.py": """\
                from sums import leave

                def test_before():
                    assert leave(0) == 0

                def test_exit():
                    assert leave(1) == 0

                def test_in_c_code():
                    assert leave(2) == 0

                def test_after():
                    assert leave(0) == 0
                """,
        },
    )
    options = TestOptions(seconds=1.0, total_seconds=30.0)
    baseline = await Project(tmp_path, "sums.py", "leave", options).baseline()
    assert {test.id: (test.ruling, test.message) for test in baseline.tests} == {
        "test_sums.py::test_before": (Ruling.PASSED, ""),
        "test_sums.py::test_exit": (Ruling.FAILED, "ended the whole process"),
        "test_sums.py::test_in_c_code": (Ruling.FAILED, "did not end within 1 s"),
        "test_sums.py::test_after": (Ruling.PASSED, ""),
        "doctest:leave:5": (Ruling.PASSED, ""),
    }


async def test_uncollectable_files_are_named_and_skipped(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "sums.py": "def double(x):\n    return x\n",
            "test_a.py": "import sums\nimport no_such_module\n\ndef test_a():\n    sums.double(1)\n",
            "test_b.py": "import sums\n\ndef test_b(:\n    sums.double(1)\n",
            "test_c.py": "import sums\n\ndef test_c():\n    assert sums.double(1) == 2\n",
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert standing(baseline) == {"test_c.py::test_c": "failed"}
    assert [(test.id, test.ruling) for test in baseline.set_aside] == [
        ("test_a.py", Ruling.UNDECIDED),
        ("test_b.py", Ruling.UNDECIDED),
    ]
    assert baseline.problems[0] == (
        "test_a.py could not be collected: ModuleNotFoundError: No module named 'no_such_module'"
    )
    assert baseline.problems[1].startswith("test_b.py could not be collected: SyntaxError: ")


async def test_unknown_addopts_are_reported(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "pytest.ini": "[pytest]\naddopts = --no-such-option\n",
            "sums.py": "def double(x):\n    return x\n",
            "test_c.py": "import sums\n\ndef test_c():\n    assert sums.double(1) == 2\n",
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert baseline.tests == ()
    assert baseline.problems[0] == "pytest could not run here: unrecognized arguments: --no-such-option"
    assert baseline.problems[1].startswith("install the plug-ins of pytest that the project's configuration needs: ")
    assert len(baseline.problems) == 2


async def test_a_broken_conftest_is_reported(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            "conftest.py": "import no_such_module\n",
            "sums.py": "def double(x):\n    return x\n",
            "test_c.py": "import sums\n\ndef test_c():\n    assert sums.double(1) == 2\n",
        },
    )
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert baseline.problems[0] == "pytest could not run here: ModuleNotFoundError: No module named 'no_such_module'"
    assert baseline.problems[1].startswith("install what provides no_such_module: ")
    assert len(baseline.problems) == 2


async def test_unknown_error_of_pytest_has_a_command(tmp_path: Path) -> None:
    files = {"conftest.py": "1 / 0\n", "sums.py": "def double(x):\n    return x\n"}
    write_project(tmp_path, {**files, "test_c.py": "import sums\n\ndef test_c():\n    assert sums.double(1) == 2\n"})
    baseline = await Project(tmp_path, "sums.py", "double").baseline()
    assert baseline.problems[0] == "pytest could not run here: ZeroDivisionError: division by zero"
    assert f"shows the whole error: cd {tmp_path} && " in baseline.problems[1]
    assert baseline.problems[1].endswith("/python -m pytest")


@pytest.mark.parametrize(
    ("files", "packages"),
    [({}, "pytest"), ({"manage.py": "setdefault('DJANGO_SETTINGS_MODULE', 'site1')\n"}, "pytest pytest-django")],
    ids=["any", "django"],
)
async def test_without_pytest_only_doctests_are_run(tmp_path: Path, files: dict[str, str], packages: str) -> None:
    """The problem names the command that installs it."""
    python = make_environment(tmp_path / "environment")
    write_project(
        tmp_path / "project",
        {
            "sums.py": 'def double(x):\n    """\n    >>> double(2)\n    4\n    """\n    return x\n',
            "test_sums.py": "import sums\n\ndef test_double():\n    assert sums.double(1) == 2\n",
            **files,
        },
    )
    known = bare_interpreter()
    # Its own place is what any environment may read: what is installed is taken in behind the walls.
    bare = replace(known, executable=python, readable=(python.parents[1], *known.readable), pytest=None)
    baseline = await Project(tmp_path / "project", "sums.py", "double", interpreter=bare).baseline()
    assert standing(baseline) == {"doctest:double:3": "failed"}
    assert baseline.failing[0].message == "double(2) gave 2, not 4"
    assert baseline.problems == (
        f"{python} has no pytest, so only doctests were run; install it: {python} -m pip install {packages}",
    )


async def test_slow_suites_are_stopped(tmp_path: Path) -> None:
    """The tests that have run count."""
    write_project(
        tmp_path,
        {
            "sums.py": "import time\n\ndef wait():\n    time.sleep(0.6)\n",
            "test_sums.py": "import sums\n\n" + "\n\n".join(f"def test_{n}():\n    sums.wait()\n" for n in range(9)),
        },
    )
    options = TestOptions(seconds=5.0, total_seconds=2.0)
    baseline = await Project(tmp_path, "sums.py", "wait", options).baseline()
    assert 1 <= len(baseline.tests) < 9
    assert baseline.problems[0].startswith("The tests were stopped after 2 s")
