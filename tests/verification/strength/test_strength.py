"""Tests notice small changes or miss them, and each missed one comes with a call that shows it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.strength.strength import StrengthBudget, changed_lines_of, measure_strength
from certo.vocabulary.strength import Gap, TestStrength
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated

CLAMP = """\
def clamp(n: int, low: int = 0, high: int = 99) -> int:
    if n < low:
        return low
    if n > high:
        return high
    return n
"""

HALF_TESTED = """
from mod import clamp

def test_low():
    assert clamp(-5) == 0

def test_middle():
    assert clamp(7) == 7
"""


FEW = StrengthBudget(mutants=12, seconds=30.0)


async def measured(
    root: Path,
    name: str,
    text: str,
    tests: str,
    *,
    passing: list[str],
    budget: StrengthBudget | None = None,
    told: list[tuple[int, int]] | None = None,
) -> TestStrength:
    """Measure the tests of a function of a module on disk."""
    text = dedent(text)
    problem = stated(root, text, name, tests=tests, passing=passing)
    return await measure_strength(
        problem,
        text,
        [test.id for test in problem.baseline.passing],
        executor=LocalExecutor(SandboxOptions()),
        interpreter=bare_interpreter(),
        seed=0,
        budget=budget or StrengthBudget(mutants=400, seconds=30.0),
        progress=lambda done, of: (told if told is not None else []).append((done, of)),
    )


def shows(gap: Gap, text: str) -> bool:
    """True if the call of a gap gives what is said, with and without its change, outside of the sandbox."""
    changed = text.replace(gap.before, gap.after, 1)
    assert changed != text, gap
    outcomes = []
    for version in (text, changed):
        names: dict[str, object] = {}
        exec(version, names)
        outcomes.append(repr(eval(gap.call, names)))
    return outcomes == [gap.now, gap.changed]


async def test_gaps_are_shown_by_their_calls(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    text = "def cap(n: int) -> int:\n    if n > 99:\n        return 99\n    return n\n"
    tests = (
        "from mod import cap\ndef test_low():\n    assert cap(-5) == -5\ndef test_middle():\n    assert cap(7) == 7\n"
    )
    strength = await measured(tmp_path, "cap", text, tests, passing=["test_low", "test_middle"], told=told)
    assert strength.reason == ""
    assert strength.of == strength.noticed + len(strength.gaps)
    assert strength.tried == strength.of + strength.uncounted == strength.possible
    assert strength.tests == 2
    assert strength.noticed > 0
    assert told[-1] == (strength.tried, strength.tried)
    assert any(gap.line == 2 for gap in strength.gaps), "no test reaches the upper limit"
    single = [gap for gap in strength.gaps if gap.after and "raises" not in gap.changed and "come" not in gap.changed]
    assert single
    assert all(shows(gap, text) for gap in single)


@pytest.mark.slow
async def test_changes_of_no_consequence_are_not_counted(tmp_path: Path) -> None:
    """`a > b` and `a >= b` give the same, so no test can tell them apart."""
    text = "def larger(a: int, b: int) -> int:\n    if a > b:\n        return a\n    return b\n"
    tests = "from mod import larger\ndef test_it():\n    assert larger(2, 1) == 2 and larger(-1, 3) == 3\n"
    strength = await measured(tmp_path, "larger", text, tests, passing=["test_it"])
    assert strength.uncounted >= 1
    assert strength.calls > 100
    assert not any(gap.after == "if a >= b:" for gap in strength.gaps)


@pytest.mark.slow
async def test_usual_calls_come_first(tmp_path: Path) -> None:
    text = """\
    def size(text):
        if not isinstance(text, str):
            return -1
        return len(text.strip())
    """
    tests = "from mod import size\ndef test_it():\n    assert size('ab') == 2\n    assert size('abc') == 3\n"
    strength = await measured(tmp_path, "size", text, tests, passing=["test_it"])
    order = [gap.unusual for gap in strength.gaps]
    assert order == sorted(order)
    assert {gap.unusual for gap in strength.gaps if gap.line in (2, 3)} == {True}


@pytest.mark.slow
async def test_small_budget_is_a_sample(tmp_path: Path) -> None:
    budget = StrengthBudget(mutants=6, seconds=30.0)
    strength = await measured(tmp_path, "clamp", CLAMP, HALF_TESTED, passing=["test_low", "test_middle"], budget=budget)
    assert strength.tried == 6
    assert strength.possible > 6
    assert strength.is_sample


async def test_without_tests_nothing_is_measured(tmp_path: Path) -> None:
    strength = await measured(tmp_path, "clamp", CLAMP, "", passing=[])
    assert not strength.is_measured
    assert strength.reason == "no test of clamp passes, so there is nothing to measure"


async def test_wavering_and_failing_tests_are_named(tmp_path: Path) -> None:
    tests = HALF_TESTED + dedent("""
        import os
        COUNT = [0]

        def test_wavers():
            COUNT[0] += 1
            # Each run is in a process of its own, so the process tells them apart.
            assert clamp(5) == 5 and (os.getpid() == MAIN or COUNT[0] > 99)

        MAIN = os.getpid()
        """)
    passing = ["test_low", "test_middle", "test_wavers"]
    strength = await measured(tmp_path, "clamp", CLAMP, tests, passing=passing, budget=FEW)
    [unused] = strength.unused
    assert unused.id.endswith("::test_wavers")
    assert unused.why == "it fails when it runs in one process with the others"
    assert strength.tests == 2
    assert strength.noticed > 0


async def test_nested_functions_have_no_witness(tmp_path: Path) -> None:
    text = """\
    def outer(n):
        def inner(m):
            return m + 1 if m > 10 else m
        return inner(n)
    """
    tests = "from mod import outer\ndef test_it():\n    assert outer(1) == 1\n"
    strength = await measured(tmp_path, "outer.inner", text, tests, passing=["test_it"])
    assert strength.gaps == ()
    assert strength.calls == 0
    assert strength.uncounted > 0


HOSTILE = """\
import os, signal, sys

def act(n):
    if n == 1:
        while n:
            pass
    if n == 2:
        os._exit(0)
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if n == 4:
        sys.exit(3)
    return n
"""


async def test_hanging_and_dying_mutants_are_noticed(tmp_path: Path) -> None:
    tests = "from mod import act\ndef test_it():\n    assert act(0) == 0\n    assert act(5) == 5\n"
    strength = await measured(tmp_path, "act", HOSTILE, tests, passing=["test_it"], budget=FEW)
    assert strength.endless > 0
    assert strength.noticed >= strength.endless
    assert not any("_exit" in gap.call for gap in strength.gaps)


@pytest.mark.slow
@pytest.mark.usual_cases("mutant")
@pytest.mark.parametrize("kind", ["mutant", "aside", "made", "call", "done"])
async def test_forged_messages_are_ignored(tmp_path: Path, kind: str) -> None:
    """A function that writes on the channel of the program cannot add mutants outside of its own text."""
    text = f"""\
    import sys
    import certo_worker
    def act(n):
        for module in list(sys.modules.values()):
            tell = getattr(module, "tell", None)
            if callable(tell):
                tell({{"kind": "{kind}", "edits": [[0, 5, "x"]], "number": -1, "reason": 7}})
        return n + 1
    """
    tests = "from mod import act\ndef test_it():\n    assert act(1) == 2\n"
    strength = await measured(tmp_path, "act", text, tests, passing=["test_it"], budget=FEW)
    assert strength.tried <= strength.possible
    assert strength.of == strength.noticed + len(strength.gaps)


@pytest.mark.slow
async def test_read_only_folder_stays_untouched(tmp_path: Path) -> None:
    problem_root = tmp_path / "project"
    problem_root.mkdir()
    await measured(problem_root, "clamp", CLAMP, HALF_TESTED, passing=["test_low", "test_middle"])
    files = sorted(problem_root.rglob("*"))
    problem_root.chmod(0o555)
    try:
        strength = await measured_again(problem_root)
    finally:
        problem_root.chmod(0o755)
    assert strength.noticed > 0
    assert sorted(problem_root.rglob("*")) == files


async def measured_again(root: Path) -> TestStrength:
    """Measure the project as it is on disk."""
    problem = stated(root, CLAMP, "clamp", tests=HALF_TESTED, passing=["test_low", "test_middle"])
    return await measure_strength(
        problem,
        CLAMP,
        [test.id for test in problem.baseline.passing],
        executor=LocalExecutor(SandboxOptions()),
        interpreter=bare_interpreter(),
        seed=0,
    )


@pytest.mark.parametrize(
    ("start", "end", "new", "expected"),
    [
        (7, 8, "b", ("y = 1", "b = 1")),
        (7, 13, "", ("y = 1", "")),
        (0, 7, "", ("x = 0", "")),
        (6, 6, "\nz = 2", ("", "z = 2")),
    ],
)
def test_changed_lines_are_told(start: int, end: int, new: str, expected: tuple[str, str]) -> None:
    text = "x =  0\ny = 1\nend\n"
    assert changed_lines_of(text, [TextEdit(Span(start, end), new)]) == expected
