"""Direct calls of tests against whole sessions of pytest: what a session accepts, repeated calls accept."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from certo.guests import BUILTIN_HOME
from support.projects.bare_environment import HYPOTHESIS, bare_python

WORKER_HOME = BUILTIN_HOME.parent / "worker"

CALLED = """
import unittest

import pytest

from mod import double

@pytest.fixture
def three():
    return 3

@pytest.fixture
def numbers(three):
    return [three]

@pytest.fixture
def opened():
    box = ["open"]
    yield box
    assert box.pop() == "open"

@pytest.fixture(scope="module")
def shared():
    yield {}

@pytest.fixture
def doubled(three):
    return double(three)

@pytest.fixture
def doubling():
    def again(n):
        return double(double(n))
    return again

def test_plain():
    assert double(2) == 4

@pytest.mark.parametrize("numbers, count", [([1, 2], 2), ([], 0)])
def test_parameter_changed_in_place(numbers, count):
    assert len(numbers) == count
    numbers.append(double(1))
    assert numbers[-1] == 2

@pytest.mark.parametrize("holder", [({"a": [1]},)])
def test_nested_parameter_changed(holder):
    holder[0]["a"].append(double(1))
    assert holder == ({"a": [1, 2]},)

def test_fixture_changed_in_place(numbers):
    numbers.append(double(3))
    assert numbers == [3, 6]

def test_generator_fixture(opened):
    assert opened == ["open"]
    assert double(1) == 2

def test_shared_fixture_changed(shared):
    assert "seen" not in shared
    shared["seen"] = double(1)
    assert shared["seen"] == 2
    del shared["seen"]

def test_fixture_that_calls_the_code(doubled):
    assert doubled == 6

def test_fixture_that_returns_a_function(doubling):
    assert doubling(2) == 8

def test_patched(monkeypatch):
    monkeypatch.setattr("mod.FACTOR", 5)
    assert double(2) == 10

@pytest.mark.usefixtures("opened")
@pytest.mark.skipif(False, reason="never")
@pytest.mark.filterwarnings("error")
def test_marked():
    assert double(4) == 8

class TestMethods:
    seen = None

    @pytest.fixture
    def ten(self):
        self.kept = 10
        return self.kept

    def test_own_instance(self):
        assert self.seen is None
        self.seen = double(1)
        assert self.seen == 2

    @pytest.mark.parametrize("n", [1, 2])
    def test_method_with_parameter(self, n, ten):
        assert (self.kept, double(n)) == (10, n * 2)

    @staticmethod
    def test_static():
        assert double(3) == 6

class Cases(unittest.TestCase):
    def setUp(self):
        self.box = []
        self.addCleanup(self.box.clear)

    def test_case(self):
        self.box.append(double(2))
        self.assertEqual(self.box, [4])

    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(double(n), 2 * n)
"""
"""Tests that are called directly."""

BY_PYTEST = """
import unittest

import pytest
from hypothesis import given, strategies

from mod import double

@pytest.fixture(params=[1, 2])
def either(request):
    return request.param

@pytest.fixture
def named(request):
    return request.node.name

@pytest.fixture
def either_again(either):
    return either

@pytest.fixture
def given_number(request):
    return request.param + 1

@given(strategies.integers())
def test_any_number(n):
    assert double(n) == n + n

def test_place(tmp_path):
    (tmp_path / "made").mkdir()
    assert double(1) == 2

def test_parameters_of_fixture(either_again):
    assert double(either_again) == 2 * either_again

def test_request(named):
    assert named == "test_request"
    assert double(1) == 2

@pytest.mark.parametrize("given_number", [1], indirect=True)
def test_indirect(given_number):
    assert double(given_number) == 4

def test_printed(capsys):
    print(double(2))
    assert capsys.readouterr().out == "4\\n"

class TestPrepared:
    def setup_method(self):
        self.two = 2

    def test_prepared(self):
        assert double(self.two) == 4

class Prepared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.two = 2

    def test_prepared_class(self):
        self.assertEqual(double(self.two), 4)
"""
"""Tests that only pytest can run."""

HOOKED = {
    "conftest.py": "import mod\ndef pytest_runtest_setup(item):\n    mod.FACTOR = 2\n",
    "test_hooked.py": "from mod import double\ndef test_hooked():\n    assert double(2) == 4\n",
}
"""A conftest that prepares each test by a hook."""

GUEST = """
import json, sys
from certo_builtin.execution.checks import with_pytest
from certo_builtin.question import read

def results(check):
    for _ in range(3):
        try:
            check.run()
            yield ""
        except BaseException as error:
            yield "{}: {}".format(type(error).__name__, error)

def search(checks):
    told = {check.identity: [check.by_pytest, *results(check)] for check in checks}
    with open(sys.argv[1], "w") as out:
        json.dump(told, out)

assert with_pytest(read(json.load(sys.stdin)), search)
"""

RIGHT = "FACTOR = 2\ndef double(n):\n    return n * FACTOR\n"
WRONG = "FACTOR = 2\ndef double(n):\n    return n * FACTOR + 1\n"


def accepted_by_session(root: Path) -> dict[str, bool]:
    """Run pytest as a user does; the tests by their names, true for those that passed."""
    report = root / "report.xml"
    command = [bare_python(*HYPOTHESIS), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "."]
    subprocess.run(command, cwd=root, capture_output=True, check=False, env=environment(root))
    return {
        case.attrib["name"]: not case.findall("failure") + case.findall("error")
        for case in ElementTree.parse(report).iter("testcase")
    }


def called(root: Path, ids: list[str]) -> dict[str, list[str]]:
    """Run the checks of a search three times each; by id the reason for pytest, and each time what was raised."""
    question: dict[str, Any] = {
        "root": str(root), "path": "mod.py", "text": "", "qualname": "double", "start": 0, "end": 0, "line": 2,
        "is_hole": False, "docstring": "", "instruction": "", "selected": None, "failing": ids, "passing": [],
        "examples": [], "seconds": 60.0, "steps": 0, "candidates": 1, "seed": 0, "plausible": 1, "unwanted": [],
    }  # fmt: skip
    out = root / "told.json"
    done = subprocess.run(
        [bare_python(*HYPOTHESIS), "-c", GUEST, str(out)],
        input=json.dumps(question),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env=environment(root),
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, list[str]] = json.loads(out.read_text(encoding="utf-8"))
    return told


def environment(root: Path) -> dict[str, str]:
    """The environment in which the project and the guest programs can be imported."""
    homes = os.pathsep.join(map(str, (root, WORKER_HOME, BUILTIN_HOME)))
    return {**os.environ, "PYTHONPATH": homes, "PYTHONDONTWRITEBYTECODE": "1"}


def ids_of(root: Path) -> list[str]:
    """The ids of all tests."""
    command = [bare_python(*HYPOTHESIS), "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env=environment(root))
    return [line for line in done.stdout.splitlines() if "::" in line]


def written(root: Path, source: str, tests: dict[str, str]) -> Path:
    """Write a project."""
    for name, text in {"mod.py": source, "pytest.ini": "[pytest]\n", **tests}.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


STYLES = [
    pytest.param({"test_called.py": CALLED}, False, id="called"),
    pytest.param({"test_by_pytest.py": BY_PYTEST}, True, id="by pytest"),
    pytest.param(HOOKED, True, id="conftest hook"),
]


@pytest.mark.usual_cases("called")
@pytest.mark.parametrize(("tests", "by_pytest"), STYLES)
def test_calls_accept_what_a_session_accepts(tmp_path: Path, tests: dict[str, str], by_pytest: bool) -> None:
    root = written(tmp_path, RIGHT, tests)
    accepted = accepted_by_session(root)
    assert accepted
    assert all(accepted.values())
    told = called(root, ids_of(root))
    assert len(told) == len(accepted)
    assert {name: raised for name, (_, *raised) in told.items() if any(raised)} == {}
    assert {name: reason for name, (reason, *_) in told.items() if bool(reason) is not by_pytest} == {}


@pytest.mark.usual_cases("by pytest")
@pytest.mark.parametrize(("tests", "by_pytest"), STYLES)
def test_calls_refuse_what_a_session_refuses(tmp_path: Path, tests: dict[str, str], by_pytest: bool) -> None:
    root = written(tmp_path, WRONG, tests)
    assert not any(accepted_by_session(root).values())
    told = called(root, ids_of(root))
    assert told
    assert {name: reason for name, (reason, *raised) in told.items() if not all(raised)} == {}
    assert {bool(reason) for reason, *_ in told.values()} == {by_pytest}
