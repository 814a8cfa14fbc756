"""Speed is measured in the sandbox, and what makes a measurement worthless is said."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from certo.behaviour.speed_measurement import find_workload, measure
from certo.behaviour.speed_statistics import SpeedDecision
from certo.behaviour.subject import Subject
from certo.edits.target import ByName, find_target
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.text import Span, TextEdit
from support.projects.bare_environment import bare_interpreter

SLOW = """
def common(xs: list[int], ys: list[int]) -> list[int]:
    found = []
    for x in xs:
        if x in ys:
            found.append(x)
    return found
"""


def subject(root: Path, text: str, tests: str = "") -> Subject:
    """Write a module and its tests, and return its only function as the subject."""
    text = dedent(text).lstrip()
    (root / "mod.py").write_text(text, encoding="utf-8")
    (root / "test_mod.py").write_text(dedent(tests), encoding="utf-8")
    name = text[text.index("def ") + 4 :].partition("(")[0]
    return Subject(
        root=root,
        path="mod.py",
        text=text,
        target=find_target(text, ByName(name), path="mod.py"),
        executor=LocalExecutor(SandboxOptions()),
        interpreter=bare_interpreter(),
        tests=("test_mod.py",) if tests else (),
    )


def replaced(one: Subject, *pairs: tuple[str, str]) -> list[TextEdit]:
    """Return an edit of the subject's function in which texts are replaced."""
    span = one.target.span
    text = one.text[span.start : span.end]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return [TextEdit(Span(span.start, span.end), text)]


TESTS = """
from mod import common

def test_common():
    assert common([1, 2, 3, 9], [3, 4, 1, 7]) == [1, 3]
"""


@pytest.mark.slow
async def test_far_faster_code_is_faster(tmp_path: Path) -> None:
    """A set for a list: a hundred times as fast on large arguments, and growing less."""
    one = subject(tmp_path, SLOW, TESTS)
    edits = replaced(one, ("found = []", "found = []\n    known = set(ys)"), ("in ys", "in known"))
    workload = await find_workload(one, [edits])
    assert workload.calls[0]["call"]["arguments"] == ["[1, 2, 3, 9]", "[3, 4, 1, 7]"]
    found = await measure(one, edits, workload)
    assert found.finding is SpeedDecision.FASTER
    assert found.speed is not None
    assert found.speed.low > 2
    assert found.speed.scale > 1
    assert found.speed.growth is not None
    assert found.speed.growth.before > found.speed.growth.after


@pytest.mark.slow
async def test_slower_code_is_not_faster(tmp_path: Path) -> None:
    one = subject(tmp_path, SLOW, TESTS)
    edits = replaced(one, ("if x in ys:", "if x in list(ys) and x in sorted(ys):"))
    found = await measure(one, edits, await find_workload(one, [edits]))
    assert found.finding is not SpeedDecision.FASTER


async def test_kept_results_are_noticed(tmp_path: Path) -> None:
    one = subject(
        tmp_path,
        """
        def total(xs: list[int]) -> int:
            result = 0
            for x in xs:
                result += x * x
            return result
        """,
    )
    keeping = replaced(
        one,
        (
            "result = 0",
            "known, key = total.__dict__, str(xs)\n    if key in known:\n        return known[key]\n    result = 0",
        ),
        ("    return result", "    known[key] = result\n    return result"),
    )
    [trial] = (await find_workload(one, [keeping])).trials
    assert trial is not None
    assert trial.reason == "it keeps results from one call for the next"


async def test_difference_on_larger_calls_is_noticed(tmp_path: Path) -> None:
    one = subject(tmp_path, SLOW, TESTS)
    edits = replaced(one, ("return found", "return found[:50]"))
    [trial] = (await find_workload(one, [edits])).trials
    assert trial is not None
    assert trial.reason == "it gives something else on a larger call"


async def test_memory_that_doubles_is_noticed(tmp_path: Path) -> None:
    one = subject(tmp_path, SLOW, TESTS)
    edits = replaced(one, ("found = []", "found = []\n    table = [0] * 9_000_000"))
    [trial] = (await find_workload(one, [edits])).trials
    assert trial is not None
    assert trial.reason.startswith("its peak memory is ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(connection: 'socket.socket') -> None:\n    return connection.close()\n", "no call of it is known"),
        ("import missing_module\n\ndef f(x: int) -> int:\n    return x\n", "cannot be imported"),
    ],
)
async def test_reason_for_no_measurement_is_said(tmp_path: Path, text: str, said: str) -> None:
    assert said in (await find_workload(subject(tmp_path, text), [])).trouble
