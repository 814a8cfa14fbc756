"""How long one test may take: an alarm it cannot catch by accident, and a last resort that ends the process."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from types import FrameType
from typing import Optional


class TimeIsUp(BaseException):
    """Raised in the main thread of a test that takes too long; no `except Exception` holds it up."""


SPELLED = TimeIsUp.__module__ + ".TimeIsUp: "
"""What stands before its message in a traceback."""


class Clock:
    """Gives each test its time, in seconds, and less of it once one has used all of its own.

    A test that hangs in C code or swallows the alarm is ended together with the process, a little later; so is every
    one that takes too long on Windows, which has no alarm.
    """

    def __init__(self, seconds: float):
        self.limit = seconds
        self._given = seconds
        self._slowest_green = 0.0
        # Tests may well put something else in the place of standard error.
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - it is needed until the process ends
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, self._ring)

    def arm(self, share: float = 1.0) -> None:
        """Start the time of one phase of a test, or of what may take `share` times as long."""
        self._given = self.limit * share
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, self._given)
        faulthandler.dump_traceback_later(self._given * 1.25 + 1.0, exit=True, file=self._nowhere)

    def disarm(self) -> None:
        """Stop the time."""
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()

    def green(self, seconds: float) -> None:
        """Learn from a test that passed how long one takes here."""
        self._slowest_green = max(self._slowest_green, seconds)

    def hung(self) -> None:
        """Learn that a test hung: what made it hang will make others hang, so they get less time."""
        self.limit = min(self.limit, max(1.0, 5.0 * self._slowest_green))

    def _ring(self, _signal: int, _frame: Optional[FrameType]) -> None:
        raise TimeIsUp("did not end within {:g} s".format(self._given))
