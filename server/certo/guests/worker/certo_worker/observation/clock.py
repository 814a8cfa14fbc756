"""Time limit of one test: an alarm it cannot catch by accident, and a last resort that ends the process."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from types import FrameType
from typing import Callable, Dict, Optional, Tuple

PATIENCE = 3.0
"""Maximum ratio of idle time, asleep or waiting for others, to a test's limit.

Only processor time measures a test itself: on a busy machine its runs, at low priority, may get a tenth of a processor.
Time waiting for a processor counts as neither, if the kernel reports it. Time used by forked processes and, apart, by
the candidate's process is counted too.
"""

_STARVED = 5.0
"""Interval at which even a process that hardly gets a processor checks the time after its alarm."""

_SHARE, _MIN_SECONDS = 0.05, 0.02
"""Share of a test's time after which to check again, and the minimum in seconds."""


WAITED = "most of it without using the processor: it sleeps or waits for something"
"""Message about a test that did not end, and was not computing."""


class TimeIsUp(BaseException):
    """Raised in the main thread of a test that takes too long; no `except Exception` catches it."""


SPELLED = TimeIsUp.__module__ + ".TimeIsUp: "
"""Prefix of its message in a traceback."""


def passed() -> float:
    """Return seconds on the monotonic clock, without those in which this thread waited for a free processor.

    Waiting times of processes that this one waits for do not count either.
    """
    others = sum(waited for _used, waited in map(_account, _asked.values()))
    for _attempt in range(3):
        # A wait between the two readings would be subtracted without having been counted.
        own, now = _own_wait(), _now()
        if _own_wait() == own:
            break
    return now - own - others


def since(began: float) -> float:
    """Return the seconds from a result of `passed` until now, to four places.

    The kernel writes a wait of another process down when it is over, even if most of it was before `began`: then more
    is subtracted than something short has taken.
    """
    return max(0.0, round(passed() - began, 4))


def count_also(process: int) -> None:
    """Count the processor time and waiting of `process` as this one's own, because this one will wait for it."""
    try:
        _asked[b"%d" % process] = _open("/proc/{}/schedstat".format(process), os.O_RDONLY)
    except OSError:
        return


class Clock:
    """Gives each test its time limit in seconds, and a shorter one after a test has used all of its own.

    A test that hangs in C code or swallows the alarm is ended together with the process, a little later; so is every
    overlong test on Windows, which has no alarm. Each alarm calls `late` first, as nothing may be heard of the test
    afterwards.
    """

    def __init__(self, seconds: float):
        self.limit = seconds
        self.late: Callable[[], None] = lambda: None
        self._given = seconds
        self._elapsed = self._awaited = self._again = 0.0
        self._used_before = self._waited_before = 0.0
        self._slowest_green = 0.0
        self._end = 0.0
        # Tests may replace standard error.
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - it is needed until the process ends
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, self._ring)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def arm(self, share: float = 1.0) -> None:
        """Start the limit of one phase of a test, or of something that may take `share` times as long."""
        self._given = self.limit * share
        self._elapsed = 0.0
        self._used_before, self._waited_before = _spent()
        self._awaited, self._again = self._given, max(_SHARE * self._given, _MIN_SECONDS)
        self._put_off_the_end()
        if sys.platform != "win32":
            # The alarm repeats, because one delivered to another thread than the main one may interrupt nothing.
            signal.setitimer(signal.ITIMER_REAL, self._awaited, self._again)
            # The kernel ends a process by this signal without Python, which may be busy in C code.
            signal.setitimer(signal.ITIMER_PROF, self._given * 1.25 + 1.0)

    def disarm(self) -> None:
        """Stop the limit; only the last resort continues, since the next phase is about to begin."""
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    def rest(self) -> None:
        """Stop everything: nothing limited follows."""
        self.disarm()
        self._end = 0.0
        faulthandler.cancel_dump_traceback_later()

    def green(self, seconds: float) -> None:
        """Record the duration of a passing test."""
        self._slowest_green = max(self._slowest_green, seconds)

    def hung(self) -> None:
        """Record a hanging test: others will hang for the same reason, so they get less time."""
        self.limit = min(self.limit, max(1.0, 5.0 * self._slowest_green))

    def _put_off_the_end(self) -> None:
        """End the process if no one checks the time for too long from now on."""
        patience = self._awaited + PATIENCE * self._given + _STARVED
        now = _now()
        # Each postponement starts a thread, which takes longer than most phases; so it is postponed further than
        # necessary.
        if self._end < now + patience:
            self._end = now + patience + self._given
            faulthandler.dump_traceback_later(patience + self._given, exit=True, file=self._nowhere)

    def _ring(self, _signal: int, _frame: Optional[FrameType]) -> None:
        # Counted from alarm to alarm: a test may have replaced the clock.
        self._elapsed += self._awaited
        self._awaited = self._again
        used, waited = _spent()
        # Time in which no processor was free is not the test's, and counts towards neither limit.
        idle = self._elapsed - max(0.0, waited - self._waited_before)
        if used - self._used_before >= self._given:
            self._end_it("did not end within {:g} s".format(self._given))
        if idle >= PATIENCE * self._given:
            self._end_it("did not end within {:g} s, {}".format(PATIENCE * self._given, WAITED))
        self._put_off_the_end()

    def _end_it(self, why: str) -> None:
        # Once only: the code that reports the test must not be interrupted too.
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.late()
        raise TimeIsUp(why)


def _spent() -> Tuple[float, float]:
    """Return the seconds of processor time used here and for us, and those waited for a processor."""
    ended = _times()
    used, waited = _process_time() + ended.children_user + ended.children_system, _own_wait()
    for account in _asked.values():
        more, longer = _account(account)
        used, waited = used + more, waited + longer
    for child in set(_read_once("/proc/thread-self/children").split()).difference(_asked):
        more, longer = _seconds(_read_once("/proc/{}/schedstat".format(child.decode("ascii"))))
        used, waited = used + more, waited + longer
    return used, waited


def _own_wait() -> float:
    """Return the seconds that this thread waited for a processor; 0 if the kernel does not report it."""
    return _seconds(_read_once("/proc/thread-self/schedstat"))[1]


def _account(descriptor: int) -> Tuple[float, float]:
    try:
        return _seconds(_pread(descriptor, 100, 0)) if _pread is not None else (0.0, 0.0)
    except OSError:
        return 0.0, 0.0


def _read_once(path: str) -> bytes:
    try:
        file = _open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return _read(file, 4096)
    except OSError:
        return b""
    finally:
        _close(file)


def _seconds(schedstat: bytes) -> Tuple[float, float]:
    """Return the seconds on a processor and those waited for one, from the kernel's three numbers."""
    numbers = schedstat.split()
    return (int(numbers[0]) / 1e9, int(numbers[1]) / 1e9) if len(numbers) == 3 else (0.0, 0.0)


# Tests may replace these functions, too.
_open, _read, _close, _now = os.open, os.read, os.close, time.monotonic
_pread, _times, _process_time = getattr(os, "pread", None), os.times, time.process_time
_asked: Dict[bytes, int] = {}
"""Open accounting files of the processes that this one waits for, by process number."""
