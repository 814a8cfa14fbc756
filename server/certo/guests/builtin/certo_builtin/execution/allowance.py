"""Limits of a whole search: steps, which are the same on every machine, and seconds as their backstop.

Seconds in which the search's processes wait for a processor do not count, so that a busy machine ends no search early.
Linux accounts for this time per process, https://docs.kernel.org/scheduler/sched-stats.html; without such accounting
all time counts.
"""

from __future__ import annotations

import os
import time
from typing import Optional

# Bound now, because code under trial may replace them.
_now, _used, _pread = time.monotonic, time.process_time, getattr(os, "pread", None)


class Spent(Exception):
    """The search has used up its allowance; the message names it, as "its 30 seconds were over"."""


class Stopwatch:
    """The seconds in which a process could run, since creation or the last `start`.

    While this process itself waits for a processor, that of another one does not count either: its answer may be there.
    """

    def __init__(self, process: str = "self") -> None:
        self._account: Optional[int] = None
        self._stat = "" if process == "self" else "/proc/{}/stat".format(process)
        self._own = None if process == "self" else Stopwatch()
        self._last = 0.0
        self._ran = 0.0
        try:
            self._account = os.open("/proc/{}/schedstat".format(process), os.O_RDONLY)
        except OSError:
            pass
        self.start()

    def start(self) -> None:
        """Restart the stopwatch."""
        self._begun = _now() - self._waited()
        if self._own is not None:
            self._begun -= self._own._waited()
        self._first = self._ran
        self._slept = 0.0

    @property
    def seconds(self) -> float:
        """The seconds since the start, without those in which the process waited for a processor."""
        # A wait is accounted for when it ends, so one that began before the start counts in full.
        own = self._own._waited() if self._own is not None else 0.0
        lasted = max(0.0, _now() - self._waited() - own - self._begun)
        ran = self._ran - self._first
        if lasted > ran + self._slept and self._is_ready():
            # It has not run and was not seen asleep: a wait that is not over yet, and may last seconds.
            return ran + self._slept
        self._slept = max(self._slept, lasted - ran)
        return lasted

    def _is_ready(self) -> bool:
        """True if another process runs, or waits for a processor."""
        if not self._stat or self._account is None:
            return False
        try:
            with open(self._stat, "rb") as state:
                return state.read().rpartition(b")")[2].split()[0] == b"R"
        except (OSError, IndexError):
            return False

    def close(self) -> None:
        """Stop reading the process's accounting."""
        if self._own is not None:
            self._own.close()
        if self._account is not None:
            os.close(self._account)
            self._account = None

    def _waited(self) -> float:
        """Return the seconds that the process has waited for a processor; the last known value if it has ended."""
        if self._account is not None and _pread is not None:
            try:
                # Three numbers: nanoseconds on a processor, nanoseconds waited for one, and the number of time slices.
                ran, waited, _ = _pread(self._account, 100, 0).split()
                self._ran, self._last = int(ran) / 1e9, int(waited) / 1e9
            except (OSError, ValueError, IndexError):
                pass
        return self._last


class Allowance:
    """The remaining `steps` and `seconds` of one search; 0 `steps` means unlimited.

    Seconds are counted for the creating process, while it computes, and for the children it waits for.
    """

    def __init__(self, seconds: float, steps: int = 0) -> None:
        self.seconds = seconds
        self.steps = steps
        self._steps = 0
        self._taken = 0.0
        self._began = _used()

    def take_steps(self, steps: int) -> None:
        """Charge steps of the code under trial; raise Spent if fewer were left."""
        self._steps += steps
        if 0 < self.steps < self._steps:
            raise Spent("its {:,} steps were taken".format(self.steps))

    def take(self, seconds: float) -> None:
        """Charge the seconds that a child was waited for."""
        self._taken += seconds

    @property
    def left(self) -> float:
        """The remaining seconds."""
        return self.seconds - self.used

    @property
    def used(self) -> float:
        """The seconds used so far."""
        return self._taken + _used() - self._began

    def spent(self) -> Spent:
        """Return the exception for a search without seconds left."""
        return Spent("its {:g} seconds were over".format(self.seconds))
