"""Changes of functions whose arguments no expression can make are shown where the tests call these."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.verification.strength.strength import StrengthBudget
from verification.strength.test_strength import measured

SOME = StrengthBudget(mutants=30, seconds=30.0)

HANDLE = """\
def first_lines(handle, number):
    lines = []
    for line in handle:
        if len(lines) < number and line.strip():
            lines.append(line.rstrip())
    return lines
"""

HANDLE_TEST = """
from mod import first_lines

def test_two(tmp_path):
    path = tmp_path / "a"
    path.write_text("one\\ntwo\\nthree\\n")
    with path.open() as handle:
        assert len(first_lines(handle, 2)) > 0
"""

MOCK = """\
def announce(mailer, names):
    for name in names:
        if name:
            mailer.send(name, "hello")
    return len(names) > 1
"""

MOCK_TEST = """
from unittest.mock import Mock
from mod import announce

def test_it():
    mailer = Mock()
    announce(mailer, ["ada", "", "bob"])
    assert mailer.send.called
"""


@pytest.mark.usual_cases("handle")
@pytest.mark.parametrize(
    ("name", "text", "tests"),
    [("first_lines", HANDLE, HANDLE_TEST), ("announce", MOCK, MOCK_TEST)],
    ids=["handle", "mock"],
)
async def test_gaps_are_shown_where_tests_call(tmp_path: Path, name: str, text: str, tests: str) -> None:
    passing = [line.split()[1].partition("(")[0] for line in tests.splitlines() if line.startswith("def ")]
    strength = await measured(tmp_path, name, text, tests, passing=passing, budget=SOME)
    assert strength.calls > 0
    assert strength.without_calls == ""
    assert strength.gaps
    # A list of lines is made up for what is only gone through.
    assert {gap.where for gap in strength.gaps} - {""} == {f"test_mod.py::{passing[0]}"}
    assert all(gap.now != gap.changed for gap in strength.gaps)


async def test_reason_without_calls_is_told(tmp_path: Path) -> None:
    """What is given is another object each time, so nothing can be compared; it is said which and why."""
    text = """\
    import os

    def waited(lock):
        with lock:
            return os.getpid()
    """
    tests = """
import threading
from mod import waited

def test_it():
    assert waited(threading.Lock())
"""
    strength = await measured(tmp_path, "waited", text, tests, passing=["test_it"])
    assert strength.uncounted > 0
    assert strength.calls == 0
    assert strength.without_calls == (
        "no expression makes its arguments (lock), and where the tests call it, it gives another answer each time"
    )
