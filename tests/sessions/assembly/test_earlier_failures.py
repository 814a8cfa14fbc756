"""Failing tests that failed before a change of the target are set aside, if it is clear that they ask nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.vocabulary.guidance import UNGUIDED, Example, Guidance
from certo.vocabulary.problem import Baseline
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project
from support.projects.repositories import begin, commit

RIGHT = "RATE = 2\n\n\ndef half(n):\n    return n / RATE\n\n\ndef other():\n    return 1\n"
WRONG = RIGHT.replace("n / RATE", "n / RATE / 3")
TESTS = """\
from half import half


def test_four():
    assert half(4) == 2


def test_library():
    half(6).gone()


def test_wanted():
    assert repr(half(0)) == "0"


def test_zero():
    assert half(0) == 0
"""
README = "Halving::\n\n    >>> from half import half\n    >>> repr(half(0))\n    '0'\n    >>> half(4)\n    2.0\n"
TOX = "[testenv]\ncommands = pytest --doctest-glob=README.rst\n"
LESS = ["test_four", "test_wanted", "doctest:README.rst:6"]
ALL = ["test_four", "test_library", "test_wanted", "doctest:README.rst:4", "doctest:README.rst:6"]


async def baseline(root: Path, text: str, test: str = "", guidance: Guidance = UNGUIDED) -> Baseline:
    (root / "half.py").write_text(text, encoding="utf-8")
    request = Request(document=root / "half.py", text=text, place=ByName("half"), test=test, guidance=guidance)
    aim = resolve_request(request, bare_environ())
    context = await find_execution_context(aim, bare_environ())
    return (await state_problem(aim, context, lambda _: None)).baseline


@pytest.fixture
def root(tmp_path: Path) -> Path:
    begin(tmp_path)
    root = write_project(tmp_path, {"half.py": RIGHT, "test_half.py": TESTS, "README.rst": README, "tox.ini": TOX})
    commit(root)
    return root


def failing(found: Baseline) -> list[str]:
    return [test.id.rpartition("::")[2] for test in found.failing]


async def test_tests_failing_before_are_set_aside(root: Path) -> None:
    """A test that an exception ended and an example in a text file are; one whose assertion fails may be wanted."""
    found = await baseline(root, WRONG)
    assert failing(found) == LESS
    aside = [(test.id.rpartition("::")[2], test.is_older) for test in found.set_aside]
    assert aside == [("test_library", True), ("doctest:README.rst:4", True)]
    assert [test.id.rpartition("::")[2] for test in found.passing] == ["test_zero"]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [("data.json", "{}", ALL), ("test_half.py", f"{TESTS}\n\nMORE = 1\n", ALL), (".env/pyvenv.cfg", "", LESS)],
)
async def test_other_changes_keep_all_tests(file: str, text: str, expected: list[str], root: Path) -> None:
    """Another file that is new or changed may be the reason of a failure; an environment beside the project is not."""
    (root / file).parent.mkdir(exist_ok=True)
    (root / file).write_text(text, encoding="utf-8")
    assert failing(await baseline(root, WRONG)) == expected


async def test_changes_beside_the_root_count(tmp_path: Path) -> None:
    """The repository may hold what the project uses besides its own folder."""
    begin(tmp_path)
    root = write_project(tmp_path / "part", {"half.py": RIGHT, "test_half.py": TESTS, "pyproject.toml": ""})
    (tmp_path / "shared.py").write_text("A = 1\n", encoding="utf-8")
    commit(tmp_path)
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_wanted"]
    (tmp_path / "shared.py").write_text("A = 2\n", encoding="utf-8")
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_library", "test_wanted"]


async def test_changes_outside_the_target_keep_all_tests(root: Path) -> None:
    assert failing(await baseline(root, WRONG.replace("return 1", "return 2"))) == ALL
    assert failing(await baseline(root, WRONG.replace("RATE = 2", "RATE = 4"))) == ALL


async def test_tests_that_fail_otherwise_stay(root: Path) -> None:
    """What fails with another message than before has to do with the change."""
    found = await baseline(root, RIGHT.replace("return n / RATE", "return str(n / 3)"))
    assert "test_library" in failing(found)


async def test_nothing_right_before_says_nothing(tmp_path: Path) -> None:
    begin(tmp_path)
    root = write_project(tmp_path, {"half.py": WRONG, "test_half.py": TESTS})
    commit(root)
    three = ["test_four", "test_library", "test_wanted"]
    assert failing(await baseline(root, WRONG)) == three, "nothing has changed"
    assert failing(await baseline(root, WRONG.replace("3", "5"))) == three


async def test_named_tests_and_examples_stay(root: Path) -> None:
    named = await baseline(root, WRONG, test="test_half.py::test_library")
    assert failing(named) == ["test_four", "test_library", "test_wanted", "doctest:README.rst:6"]
    example = Example(id="example 1", source="half(6)\n", expected="4\n", equals=True)
    given = await baseline(root, WRONG, guidance=Guidance(examples=(example,)))
    assert "example 1" in failing(given)


async def test_projects_without_git_keep_all_tests(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"half.py": RIGHT, "test_half.py": TESTS})
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_library", "test_wanted"]
