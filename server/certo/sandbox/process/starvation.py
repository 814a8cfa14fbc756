"""Starvation: time in which certo and its runs were ready to compute, and other programs had the processors.

Limits that a person would wait for are counted without it, or a busy machine would change the answer of a search. Linux
accounts for the waiting of each thread, https://docs.kernel.org/scheduler/sched-stats.html; elsewhere all time counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import anyio

from certo.concurrency import background_tasks
from certo.sandbox.process import process_table
from certo.sandbox.process.slots import processors

WALL_FACTOR = 10.0
"""Maximum ratio of elapsed time to a limit, however busy the machine is."""

_LOOK_SECONDS = 1.0
"""Interval between two looks at the processes; each reads a file for every process of this machine."""

_GAP_SECONDS = 10.0
"""Interval after which nobody was interested in what happened meanwhile."""

Accounts = dict[int, tuple[float, float]]
"""Seconds on a processor and seconds waited for one, by process."""


class StarvationMeter:
    """Adds up the starvation of this process and all below it, as long as it is asked to look now and then.

    `used` and `waited` are seconds on processors and waited for them, summed over the processes; `starved` is elapsed
    time.
    """

    def __init__(self, processors: int) -> None:
        """Begin with the first look; the processes may use so many `processors`."""
        self.used = self.waited = self.starved = 0.0
        self._processors = processors
        self._at = -_GAP_SECONDS
        self._seen: Accounts = {}

    def look(self) -> None:
        """Take into account what happened since the last look, unless that was just now."""
        now = time.monotonic()
        if now - self._at < _LOOK_SECONDS / 2:
            return
        seen, elapsed = _accounts(), now - self._at
        if elapsed < _GAP_SECONDS:
            self.count(self._seen, seen, elapsed)
        self._at, self._seen = now, seen

    def count(self, before: Accounts, after: Accounts, elapsed: float) -> None:
        """Add what happened to the processes in `elapsed` seconds.

        No more processors could have been used than there are: processes that wait for each other only, while all
        processors are ours, are not starved.
        """
        changes = [(account, before.get(pid, (0.0, 0.0))) for pid, account in after.items()]
        used = sum(max(0.0, now[0] - then[0]) for now, then in changes)
        waited = sum(max(0.0, now[1] - then[1]) for now, then in changes)
        wanted = min(self._processors * elapsed, used + waited)
        lacking = max(0.0, 1.0 - used / wanted) if wanted else 0.0
        self.used += used
        self.waited += waited
        # Where little was wanted, as while a model is asked, only the waiting itself was lost.
        self.starved += min(waited, lacking * elapsed)


@cache
def meter() -> StarvationMeter:
    """Return the meter of this process."""
    return StarvationMeter(processors())


def _accounts() -> Accounts:
    """Return the accounts of this process and of all below it; empty if the kernel keeps none."""
    found = {}
    for process in process_table.tree(os.getpid()) if Path("/proc/self/schedstat").exists() else ():
        try:
            used, waited, _slices = Path(f"/proc/{process.pid}/schedstat").read_bytes().split()
        except (OSError, ValueError):
            continue
        found[process.pid] = int(used) / 1e9, int(waited) / 1e9
    return found


class PatientLimit:
    """A time limit that leaves out starvation; `ended` is True once it has cancelled the block it limits."""

    def __init__(self, seconds: float) -> None:
        self.scope = anyio.CancelScope()
        self._seconds = seconds
        self._meter = meter()
        self._meter.look()
        self._begun = anyio.current_time()
        self._before = self._meter.used, self._meter.waited, self._meter.starved

    @property
    def ended(self) -> bool:
        """True if the block was cancelled because its time was up."""
        return self.scope.cancelled_caught

    @property
    def starved(self) -> float:
        """Seconds since the start in which no processor was free."""
        return self._meter.starved - self._before[2]

    @property
    def complaint(self) -> str:
        """A sentence on the busy machine if most of the time was lost to it; otherwise empty."""
        if self.starved <= (anyio.current_time() - self._begun) / 2:
            return ""
        used, waited = self._meter.used - self._before[0], self._meter.waited - self._before[1]
        return f"the machine is busy: {used / (used + waited) * 100:.0f} % of the processor time asked for"

    def shorten(self, seconds: float) -> None:
        """End `seconds` from now, counted in the same way, if that is sooner."""
        spent = anyio.current_time() - self._begun - self.starved
        self._seconds = min(self._seconds, spent + seconds)

    async def watch(self) -> None:
        """Cancel the block when the time is up."""
        while (left := self._left()) > 0:
            await anyio.sleep(min(left, _LOOK_SECONDS))
            self._meter.look()
        self.scope.cancel()

    def _left(self) -> float:
        elapsed = anyio.current_time() - self._begun
        return min(self._seconds + self.starved, WALL_FACTOR * self._seconds) - elapsed


@asynccontextmanager
async def patient_limit(seconds: float) -> AsyncIterator[PatientLimit]:
    """Cancel the block after `seconds`, without those in which no processor was free for it.

    By the clock it is cancelled after WALL_FACTOR times as long at the latest.
    """
    limit = PatientLimit(max(0.0, seconds))
    async with background_tasks() as group:
        with limit.scope:
            group.start_soon(limit.watch)
            yield limit
