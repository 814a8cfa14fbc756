"""Time limits of a run: processor time of all its processes decides, elapsed time is the backstop.

The kernel limits the processor time of each process, and ends none that waits. So this module watches all processes of
a run together, and the elapsed time. Time in which they were ready but no processor was free is not charged to the run:
on a busy machine that would end honest programs.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import anyio

from certo.sandbox.executor import Ending, Limits
from certo.sandbox.process.process_table import Process

_MAX_STARVED = 30.0
"""Maximum ratio of waiting for processors to a run's time limit, where the kernel reports waiting."""

_LOOK_SECONDS = 0.25
"""Minimum interval between two checks; each reads a file for every process of this machine."""


class Backstop:
    """Timer that reports when one run's time is up; `limits` count from its creation or the last `begin`."""

    def __init__(self, limits: Limits) -> None:
        self._waiting = anyio.CancelScope()
        self.begin(limits)

    def begin(self, limits: Limits, used: float = 0.0) -> None:
        """Restart the count; `used` CPU seconds were used before."""
        # The kernel counts whole seconds too, and a start alone takes a part of one.
        whole = max(1.0, limits.cpu_seconds if math.isinf(limits.cpu_seconds) else math.ceil(limits.cpu_seconds))
        self._wall, self._cpu = limits.wall_seconds, whole + used
        self._begun = anyio.current_time()
        self._starved = 0.0
        self._wait(self._cpu)

    def suspend(self) -> None:
        """Disable the limits until the next `begin`."""
        self._wall = self._cpu = math.inf
        self._wait(math.inf)

    async def reached(self, processes: Callable[[], Iterable[Process]]) -> Ending:
        """Wait until a limit is reached; return Ending.CPU or Ending.WALL."""
        while True:
            with self._waiting:
                await anyio.sleep_forever()
            running = list(processes())
            left = self._cpu - sum(process.cpu_seconds for process in running)
            if left <= 0:
                return Ending.CPU
            if self._left <= 0 and not self._was_starved(running):
                return Ending.WALL
            self._waiting = anyio.CancelScope()
            self._wait(left)

    @property
    def starved(self) -> float:
        """Seconds for which the processes were ready and no processor was free, as found at the last check."""
        return self._starved

    @property
    def _left(self) -> float:
        """The remaining elapsed time in seconds."""
        return self._begun + self._wall + self._starved - anyio.current_time()

    def _wait(self, cpu_seconds: float) -> None:
        """Wait until a limit may be reached, by elapsed time or by CPU seconds on all processors."""
        soonest = max(_LOOK_SECONDS, cpu_seconds / (os.cpu_count() or 1))
        self._waiting.deadline = anyio.current_time() + min(soonest, max(0.0, self._left))

    def _was_starved(self, running: Iterable[Process]) -> bool:
        """True if the processes waited for a processor; the run then gets that much more time."""
        before = self._starved
        starved = sum(_waited(process.pid) for process in running)
        self._starved = min(max(before, starved), _MAX_STARVED * self._wall)
        return self._left > 0


def _waited(pid: int) -> float:
    """Return the seconds a process was ready but waited for a processor; 0 if the kernel does not report it."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        # Three numbers: nanoseconds on a processor, nanoseconds waited for one, and the number of time slices.
        return max((int((task / "schedstat").read_bytes().split()[1]) / 1e9 for task in tasks), default=0.0)
    except (OSError, ValueError, IndexError):
        return 0.0
