"""`certo generate` of stubs whose docstrings say more than their tests, whole searches by the real command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.cli.command import certo
from support.projects.projects import write_project

SHARE = '''\
def share(total, people):
    """Return what each of `people` pays of a total, rounded to 2 decimal places.

    Raise ValueError if people is not positive.
    """
    ...
'''
SHARE_TESTS = """\
import pytest
from till import share

def test_even(): assert share(10, 4) == 2.5
def test_third(): assert share(10, 3) == 3.33
def test_more(): assert share(7, 3) == 2.33
def test_nobody():
    with pytest.raises(ValueError, match="not positive"):
        share(10, 0)
"""

OFTEN = '''\
def how_often(text, letter):
    """Return how often a letter occurs in a text, ignoring case."""
    ...
'''
OFTEN_TESTS = """\
from till import how_often

def test_a(): assert how_often("banana", "a") == 3
def test_l(): assert how_often("hello world", "l") == 3
def test_o(): assert how_often("foo boo goo too", "o") == 8
def test_x(): assert how_often("kiwi", "x") == 0
"""


def filled(root: Path, stub: str, tests: str, name: str) -> Any:
    """Return the function that the command fills in."""
    project = write_project(root / "till", {"till.py": stub, "tests/test_till.py": tests})
    ran = certo(project, "generate", f"till.py::{name}", "--timeout", "60", "--apply")
    assert ran.code == 0, ran.err + ran.out
    module: dict[str, Any] = {}
    exec((project / "till.py").read_text(encoding="utf-8"), module)
    return module[name]


def test_docstring_asks_for_a_refusal(tmp_path: Path) -> None:
    """The guard is in no expression: only the docstring's words tell its condition."""
    function = filled(tmp_path, SHARE, SHARE_TESTS, "share")
    assert function(9, 2) == 4.5
    for people in (0, -1):
        try:
            refused = function(1, people)
        except ValueError as error:
            refused = str(error)
        assert refused == "people is not positive"


def test_promise_outranks_a_weak_answer(tmp_path: Path) -> None:
    """`text.count(letter)` passes all tests as well, and breaks the docstring's word on texts in upper case."""
    function = filled(tmp_path, OFTEN, OFTEN_TESTS, "how_often")
    assert [function("Banana", "A"), function("AbAa", "a"), function("kiwi", "K")] == [3, 3, 1]
