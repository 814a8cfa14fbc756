"""Limits of a search: steps and seconds, without the time spent waiting for a processor."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from certo_builtin.execution.allowance import Allowance, Spent, Stopwatch
from certo_builtin.execution.fork_pool import each
from support.sandbox.busy_machine import crowded


def test_steps_are_spent_when_exceeded() -> None:
    allowance = Allowance(60.0, 1000)
    allowance.take_steps(400)
    allowance.take_steps(600)
    with pytest.raises(Spent, match=r"its 1,000 steps were taken"):
        allowance.take_steps(1)


def test_seconds_include_children() -> None:
    allowance = Allowance(60.0)
    allowance.take(10.0)
    assert 49.0 < allowance.left <= 50.0
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert allowance.left <= 49.95


def test_stopwatch_survives_a_dead_process() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    watch = Stopwatch(str(pid))
    os.waitpid(pid, 0)
    seen = watch.seconds
    assert 0.0 <= seen <= watch.seconds
    watch.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process has waited for a processor")
def test_piece_waiting_for_a_processor_is_kept() -> None:
    """It is not taken for one that hangs."""

    def work(_: int) -> float:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        return until

    allowance = Allowance(0.7)
    with crowded(4):
        began = time.monotonic()
        ((_, worked),) = each(work, [0], 0.6, allowance)
        took = time.monotonic() - began
    assert worked is not None
    # By the clock on the wall it would have hung, or there was no crowd.
    assert took > 0.6


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process has waited for a processor")
def test_wait_that_lasts_is_not_counted() -> None:
    """A process of the idle class gets next to nothing beside another one, so its first wait lasts."""
    with crowded(1):
        pid = os.fork()
        if pid == 0:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            while True:
                pass
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        watch = Stopwatch(str(pid))
        try:
            began = time.monotonic()
            while time.monotonic() - began < 0.3:
                time.sleep(0.02)
                # By the clock alone, each look at the watch would add what it waits.
                assert watch.seconds < 0.5 * (time.monotonic() - began) + 0.05
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            watch.close()
