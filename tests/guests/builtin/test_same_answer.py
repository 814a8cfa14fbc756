"""The same seed gives the same answer on a busy machine and for any limit of seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.generation.builtin.options import BuiltinOptions
from certo.vocabulary.problem import Problem
from support.sandbox.busy_machine import burning
from support.search.builtin_searches import searched, stated

SOURCE = """\
def total(prices, discount):
    result = 0
    for price in prices:
        if price > 1:
            result += price * discount
    return result
"""
TESTS = """
    from mod import total
    def test_all():
        assert total([1, 2], 3) == 9
    def test_none():
        assert total([], 3) == 0
"""
IMPOSSIBLE = """
    from mod import total
    def test_all():
        assert total([1, 2], 3) == object()
"""


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return stated(tmp_path, SOURCE, "total", tests=TESTS, failing=["test_all"], passing=["test_none"])


async def test_busy_machine_finds_the_same(problem: Problem) -> None:
    calm = await searched(problem, BuiltinOptions(seconds=60.0, plausible=3), seed=7)
    with burning():
        busy = await searched(problem, BuiltinOptions(seconds=90.0, plausible=3), seed=7)
    assert [one.edits for one in calm[0]], calm[1].reason
    assert busy == calm


async def test_step_limit_is_independent_of_seconds(tmp_path: Path) -> None:
    problem = stated(tmp_path, SOURCE, "total", tests=IMPOSSIBLE, failing=["test_all"])
    ends = [
        (await searched(problem, BuiltinOptions(seconds=seconds, steps=100_000)))[1].reason for seconds in (40.0, 80.0)
    ]
    assert ends[0].endswith("none passes the failing tests when its 100,000 steps were taken")
    assert ends[1] == ends[0]
