"""How long one test may take: an alarm it cannot catch by accident, and a last resort that ends the process."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from types import FrameType
from typing import Optional

PATIENCE = 3.0
"""How many times its limit a test may take without using the processor, asleep or waiting for others.

Only time on the processor says what a test itself takes: on a busy machine its runs, which step back behind all others,
may get a tenth of one. What it spends waiting for a processor is counted as neither, where the kernel tells.
"""

_STARVED = 5.0
"""Seconds by which even a process that hardly gets a processor looks at the time when its alarm has rung."""

_SHARE, _SOONEST = 0.05, 0.02
"""After which share of a test's time to look again, and after how many seconds at the earliest."""


class TimeIsUp(BaseException):
    """Raised in the main thread of a test that takes too long; no `except Exception` holds it up."""


SPELLED = TimeIsUp.__module__ + ".TimeIsUp: "
"""What stands before its message in a traceback."""


def passed() -> float:
    """Seconds on the monotonic clock, without those in which this thread was ready to run and no processor was free."""
    return time.monotonic() - _kept_waiting()


class Clock:
    """Gives each test its time, in seconds, and less of it once one has used all of its own.

    A test that hangs in C code or swallows the alarm is ended together with the process, a little later; so is every
    one that takes too long on Windows, which has no alarm.
    """

    def __init__(self, seconds: float):
        self.limit = seconds
        self._given = seconds
        self._elapsed = self._awaited = self._again = 0.0
        self._used_before = self._waited_before = 0.0
        self._slowest_green = 0.0
        self._end = 0.0
        # Tests may well put something else in the place of standard error.
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - it is needed until the process ends
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, self._ring)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def arm(self, share: float = 1.0) -> None:
        """Start the time of one phase of a test, or of what may take `share` times as long."""
        self._given = self.limit * share
        self._elapsed = 0.0
        self._used_before, self._waited_before = time.process_time(), _kept_waiting()
        self._awaited, self._again = self._given, max(_SHARE * self._given, _SOONEST)
        self._put_off_the_end()
        if sys.platform != "win32":
            # It goes on ringing: an alarm that reaches another thread than the main one may wake nobody.
            signal.setitimer(signal.ITIMER_REAL, self._awaited, self._again)
            # The kernel ends a process by this signal without asking Python, which may be busy in C code.
            signal.setitimer(signal.ITIMER_PROF, self._given * 1.25 + 1.0)

    def disarm(self) -> None:
        """Stop the time; only the last resort goes on, for the next phase is about to begin."""
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    def rest(self) -> None:
        """Stop all of it: nothing that is to be timed comes next."""
        self.disarm()
        self._end = 0.0
        faulthandler.cancel_dump_traceback_later()

    def green(self, seconds: float) -> None:
        """Learn from a test that passed how long one takes here."""
        self._slowest_green = max(self._slowest_green, seconds)

    def hung(self) -> None:
        """Learn that a test hung: what made it hang will make others hang, so they get less time."""
        self.limit = min(self.limit, max(1.0, 5.0 * self._slowest_green))

    def _put_off_the_end(self) -> None:
        """End the process if nobody looks at the time for too long from now on."""
        patience = self._awaited + PATIENCE * self._given + _STARVED
        now = _now()
        # It takes a thread each time, which is more than most phases take; so it is put off further than it has to be.
        if self._end < now + patience:
            self._end = now + patience + self._given
            faulthandler.dump_traceback_later(patience + self._given, exit=True, file=self._nowhere)

    def _ring(self, _signal: int, _frame: Optional[FrameType]) -> None:
        # Counted from ring to ring: a test may have put another clock in the place of the real one.
        self._elapsed += self._awaited
        self._awaited = self._again
        used = time.process_time() - self._used_before
        idle = self._elapsed - (_kept_waiting() - self._waited_before)
        for seconds, most in ((used, self._given), (idle, PATIENCE * self._given)):
            if seconds >= most:
                # Once only: whoever reports on the test must not be interrupted too.
                signal.setitimer(signal.ITIMER_REAL, 0)
                raise TimeIsUp("did not end within {:g} s".format(most))
        self._put_off_the_end()


def _kept_waiting() -> float:
    """Seconds that this thread was ready to run and waited for a processor; 0 where the kernel does not tell."""
    try:
        schedstat = _open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(_read(schedstat, 100).split()[1]) / 1e9
    finally:
        _close(schedstat)


# Tests put other functions in the place of these, too.
_open, _read, _close, _now = os.open, os.read, os.close, time.monotonic
