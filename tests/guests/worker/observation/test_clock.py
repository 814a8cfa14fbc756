"""The clock of a test counts the time of the test, and not that of other programs on the machine."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from certo.guests import WORKER_HOME
from certo_worker.observation.clock import WAITED, passed, since

PREAMBLE = """
import os, time
from certo_worker.confinement import limits
from certo_worker.observation.clock import Clock, TimeIsUp, passed
clock = Clock({seconds})
clock.arm()
began = time.monotonic()
"""


def timed(code: str, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run `code` as a test of so many seconds in a process of its own."""
    program = PREAMBLE.format(seconds=seconds) + code
    return subprocess.run([sys.executable, "-c", program], cwd=WORKER_HOME, capture_output=True, text=True, check=False)


def test_what_computes_gets_its_limit() -> None:
    done = timed("while True: pass", 0.2)
    assert done.stderr.splitlines()[-1] == "certo_worker.observation.clock.TimeIsUp: did not end within 0.2 s"


def test_sleeping_gets_three_times_the_limit() -> None:
    code = "try:\n    time.sleep(1000)\nexcept TimeIsUp as up:\n    print(up, 0.6 <= time.monotonic() - began)"
    assert timed(code, 0.2).stdout == f"did not end within 0.6 s, {WAITED} True\n"


def test_short_sleep_beyond_the_limit_is_fine() -> None:
    assert timed("time.sleep(0.3)\nclock.disarm()\nprint('ended')", 0.2).stdout == "ended\n"


def test_what_others_take_is_not_counted() -> None:
    # Seven others share one processor with it: by the wall clock it takes longer than it has in all.
    code = """
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
for _ in range(7):
    if os.fork() == 0:
        limits.die_with_parent(9)
        while True: pass
clock.rest()
# What a test starts is its own, so it is one more beside them.
test = os.fork()
if test:
    os.waitpid(test, 0)
    os._exit(0)
limits.die_with_parent(9)
clock.arm()
while time.process_time() < 0.3: pass
clock.disarm()
print(time.monotonic() - began > 3 * 0.5, passed() < time.monotonic())
"""
    assert timed(code, 0.5).stdout == "True True\n"


def test_child_processes_count_for_their_test() -> None:
    # It waits for one after the other, some of them ended and one not: by itself it would have three times as long.
    code = """
import subprocess, sys
burning = "import time\\nwhile time.process_time() < 0.3: pass"
while True: subprocess.run([sys.executable, "-S", "-c", burning])
"""
    done = timed(code, 1.0)
    assert done.stderr.splitlines()[-1] == "certo_worker.observation.clock.TimeIsUp: did not end within 1 s"


def test_named_process_counts_as_the_test_itself() -> None:
    code = """
from certo_worker.observation import clock as clocks
asked = os.fork()
if asked == 0:
    limits.die_with_parent(9)
    while True: pass
# A child of a child is none that is seen without being named.
clocks.count_also(asked)
time.sleep(1000)
"""
    assert timed(code, 1.0).stderr.splitlines()[-1] == "certo_worker.observation.clock.TimeIsUp: did not end within 1 s"


STARVED = """
import socket
from certo_worker.observation import clock as clocks
from certo_worker.apart.frames import Frames
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
ours, its = socket.socketpair()
if os.fork() == 0:
    # What its children use would be its own, and not what others take.
    limits.die_with_parent(9)
    for _ in range(7):
        if os.fork() == 0:
            limits.die_with_parent(9)
            while True: pass
    time.sleep(1000)
asked = os.fork()
if asked == 0:
    limits.die_with_parent(9)
    ours.close()
    while time.process_time() < 0.3: pass
    Frames(its).send({"at": "last"})
    os._exit(0)
its.close()
clocks.count_also(asked)
"""
"""A process that answers late, for seven others share one processor with it."""


def test_named_process_is_not_charged_for_others() -> None:
    """Time that it waits for a busy processor does not count."""
    # By the wall clock the answer takes longer than a test of half a second may wait.
    code = (
        STARVED
        + """
clock.arm()
print(Frames(ours).receive(), time.monotonic() - began > 3 * 0.5)
"""
    )
    assert timed(code, 0.5).stdout == "{'at': 'last'} True\n"


@pytest.mark.slow
def test_starved_process_is_waited_for() -> None:
    code = (
        STARVED
        + """
clock.rest()
ours.settimeout(0.35)
print(Frames(ours).receive(), time.monotonic() - began > 2 * 0.35)
"""
    )
    assert timed(code, 60.0).stdout == "{'at': 'last'} True\n"


def test_kernel_ends_code_that_swallows_the_alarm() -> None:
    swallowing = "while True:\n    try:\n        sum(range(10**12))\n    except BaseException:\n        pass"
    # On a machine that is busy enough the last resort of what sleeps comes first.
    assert timed(swallowing, 0.1).returncode in (-signal.SIGPROF, 1)


def test_sleeping_c_code_is_ended_too() -> None:
    # No alarm can interrupt a thread that has blocked it, as a library may.
    code = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\ntime.sleep(1000)"
    done = timed(code, 0.1)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_stopped_clock_does_not_ring() -> None:
    assert timed("clock.disarm()\ntime.sleep(0.5)\nprint('quiet')", 0.05).stdout == "quiet\n"


def test_faked_clock_of_a_test_changes_nothing() -> None:
    faked = "time.monotonic = lambda: 0.0\nos.open = os.read = os.close = None\n"
    done = timed(faked + "while True: pass", 0.2)
    assert done.stderr.splitlines()[-1] == "certo_worker.observation.clock.TimeIsUp: did not end within 0.2 s"


def test_who_hangs_leaves_the_others_less() -> None:
    code = "clock.disarm()\nclock.green(0.5)\nclock.hung()\nprint(clock.limit)\nclock.hung()\nprint(clock.limit)"
    assert timed(code, 10).stdout == "2.5\n2.5\n"


def test_late_accounts_make_no_negative_time() -> None:
    """The kernel may write down a wait after it is over, so that more is subtracted than has passed."""
    assert since(passed() + 1.0) == 0.0
