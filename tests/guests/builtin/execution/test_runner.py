"""Trying candidates on tests that take their time."""

from __future__ import annotations

import mmap
import signal
import sys
import time
from pathlib import Path

import pytest
from hypothesis.internal import charmap

from certo.generation.builtin.options import BuiltinOptions
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import LOST, PASSED, SLUGGISH_SECONDS, CandidateRunner
from certo_builtin.repair.fault_localization import traced
from certo_builtin.source import Source
from support.sandbox.busy_machine import crowded
from support.search.builtin_searches import searched, stated, text_of

SOURCE = """\
def total(prices):
    result = 0
    for price in prices:
        if price > 1:
            result += price
    return result
"""
"""Its repair is among the first that are tried: every trial takes as long as the slow test, however many there are."""

QUICK = """
    import time
    from mod import total
    def test_sum():
        assert total([1, 2]) == 3
"""
SLOW_GREEN = """
    def test_empty():
        time.sleep(1.5)
        assert total([]) == 0
"""
SLOW_RED = """
    def test_two():
        time.sleep(1.5)
        assert total([1, 3]) == 4
"""
ONE = BuiltinOptions(seconds=60.0, plausible=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "failing", "passing"),
    [
        (QUICK + SLOW_GREEN, ["test_sum"], ["test_empty"]),
        (QUICK + SLOW_RED, ["test_sum", "test_two"], []),
        (QUICK + SLOW_GREEN + SLOW_RED, ["test_two"], ["test_empty"]),
    ],
    ids=["a slow green one", "a quick and a slow red one", "nothing but a slow red one"],
)
async def test_slow_test_does_not_hide_the_repair(
    tmp_path: Path, tests: str, failing: list[str], passing: list[str]
) -> None:
    problem = stated(tmp_path, SOURCE, "total", tests=tests, failing=failing, passing=passing)
    found, ended = await searched(problem, ONE)
    assert [text_of(problem, one) for one in found] == [SOURCE.replace("> 1", ">= 1")], ended.reason


def runner_with(*checks: Check, seconds: float = 60.0) -> CandidateRunner:
    """A runner with a function that none of its checks calls."""
    source = Source("def f():\n    pass\n")
    target = source.function_at(1, "f")
    assert target is not None
    return CandidateRunner(HotSwap(source, "mod.py", target), checks, Meter(), Allowance(seconds))


def test_found_candidates_outlive_the_allowance() -> None:
    """Slow passing tests meet one candidate after the other, and each is told before the next is tried."""
    runs = mmap.mmap(-1, 1)

    def slow() -> None:
        runs[0] += 1
        time.sleep(60.0 if runs[0] == 3 else 0.0)

    runner = runner_with(Check("red", lambda: None, owed=True), Check("slow", slow, owed=False), seconds=1.0)
    runner.telling, runner.sluggish, runner.last, runner.is_ordered = {0}, {1: 30.0}, [1], False
    drawn: list[int] = []
    edits = (drawn.append(number) or () for number in range(1000))  # type: ignore[func-returns-value]
    told = []
    with pytest.raises(Spent):
        told.extend(judged.ending for _, judged in runner.judge(edits, fuel=100))
    assert told == [PASSED, PASSED]
    assert len(drawn) > 10, "only what passes all quick ones meets them, so batches stay large"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process has waited for a processor")
def test_waiting_test_is_not_called_slow() -> None:
    """Waiting for a processor counts as no time of the test."""

    def compute() -> None:
        until = time.process_time() + 0.03
        while time.process_time() < until:
            pass

    with crowded(6):
        began = time.monotonic()
        trace = traced(runner_with(Check("quick", compute, owed=False)))
        took = time.monotonic() - began
    assert trace.endings == [PASSED]
    # By the clock on the wall it is sluggish, or there was no crowd.
    assert trace.seconds[0] < SLUGGISH_SECONDS < took


def test_drawing_texts_is_not_called_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis's tables of characters count as no time of the test."""
    monkeypatch.setattr(charmap, "_charmap", None)
    trace = traced(runner_with(Check("texts", charmap.charmap, owed=False)))
    assert trace.endings == [PASSED]
    assert trace.seconds[0] < SLUGGISH_SECONDS
    assert charmap._charmap


def test_alarm_at_any_moment_ends_one_run() -> None:
    runner = runner_with()
    before = signal.getsignal(signal.SIGALRM)
    try:
        endings = [runner.run_limited(lambda: None, 100, seconds * 1e-6) for seconds in range(1, 60) for _ in range(50)]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert {PASSED, LOST} == set(endings)


@pytest.mark.slow
async def test_slow_test_still_specifies_a_hole(tmp_path: Path) -> None:
    source = "def double(n):\n    raise NotImplementedError\n"
    tests = """
    import time
    from mod import double
    def test_double():
        time.sleep(1.5)
        assert double(3) == 6
        assert double(5) == 10
    """
    problem = stated(tmp_path, source, "double", tests=tests, failing=["test_double"])
    found, ended = await searched(problem, ONE)
    assert [text_of(problem, one) for one in found] == ["def double(n):\n    return n + n\n"], ended.reason
