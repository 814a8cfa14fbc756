"""Failing tests that failed in the last commit too are set aside, if others passed then."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.verification.earlier_failures import FAILED_BEFORE
from certo.vocabulary.guidance import UNGUIDED, Example, Guidance
from certo.vocabulary.problem import Baseline
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project
from support.projects.repositories import begin, commit

RIGHT = "def half(n):\n    return n / 2\n"
WRONG = "def half(n):\n    return n / 3\n"
TESTS = """\
from half import half


def test_four():
    assert half(4) == 2


def test_other_library():
    assert repr(half(6)) == "3"


def test_zero():
    assert half(0) == 0
"""
README = "Halving::\n\n    >>> from half import half\n    >>> half(6)\n    3\n    >>> half(1)\n    1\n"
TOX = "[testenv]\ncommands = pytest --doctest-glob=README.rst\n"


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


def aside(found: Baseline) -> list[tuple[str, bool]]:
    return [(test.id.rpartition("::")[2], test.message.startswith(FAILED_BEFORE)) for test in found.set_aside]


async def test_tests_failing_before_are_set_aside(root: Path) -> None:
    """Those are of every kind, and say why; the tests that passed stay."""
    found = await baseline(root, WRONG)
    assert failing(found) == ["test_four"]
    assert aside(found) == [
        ("test_other_library", True),
        ("doctest:README.rst:4", True),
        ("doctest:README.rst:6", True),
    ]
    assert [test.id.rpartition("::")[2] for test in found.passing] == ["test_zero"]


async def test_nothing_is_set_aside_in_unchanged_code(root: Path) -> None:
    """Without a change the last commit says nothing, and where nothing was right then, all may be wanted now."""
    (root / "half.py").write_text(WRONG, encoding="utf-8")
    commit(root)
    everything = ["test_four", "test_other_library", "doctest:README.rst:4", "doctest:README.rst:6"]
    assert failing(await baseline(root, WRONG)) == everything
    assert failing(await baseline(root, WRONG.replace("3", "4"))) == everything


async def test_wanted_tests_stay(root: Path) -> None:
    """A test that the user names, or an example of theirs, and a test whose file has changed, may be new."""
    named = await baseline(root, WRONG, test="test_half.py::test_other_library")
    assert failing(named) == ["test_four", "test_other_library"]
    example = Example(id="example 1", source="half(6)\n", expected="4\n", equals=True)
    given = await baseline(root, WRONG, guidance=Guidance(examples=(example,)))
    assert failing(given) == ["test_four", "example 1"]
    tests = root / "test_half.py"
    tests.write_text(TESTS + "\n\ndef test_six():\n    assert half(6) == 3\n", encoding="utf-8")
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_other_library", "test_six"]


@pytest.mark.parametrize("then", ["def half(n:\n", "def half(n):\n    import missing\n"], ids=["broken", "failing"])
async def test_older_failing_text_says_nothing(then: str, tmp_path: Path) -> None:
    begin(tmp_path)
    root = write_project(tmp_path, {"half.py": then, "test_half.py": dedent(TESTS)})
    commit(root)
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_other_library"]


async def test_projects_without_git_keep_all_tests(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"half.py": RIGHT, "test_half.py": TESTS})
    assert failing(await baseline(root, WRONG)) == ["test_four", "test_other_library"]
