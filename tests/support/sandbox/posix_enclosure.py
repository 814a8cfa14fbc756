"""An enclosure of POSIX parts, so that all of a run on Windows but the job object can run anywhere."""

from __future__ import annotations

import resource
import time

from certo.sandbox.executor import Limits
from certo.sandbox.process import process_table


class SessionEnclosure:
    """Holds a run by its session, which nothing in it may leave."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._session = 0
        self._before = children_seconds()

    def take(self, pid: int, /) -> None:
        # Every run is started in a session of its own.
        self._session = pid

    def kill(self) -> None:
        # A signal is sent before it is obeyed: what is killed is dead only when the census no longer counts it.
        while self._session and (
            left := [each for each in process_table.process_table() if each.session == self._session]
        ):
            process_table.kill(left)
            time.sleep(0.001)

    def cpu_seconds(self) -> float:
        return children_seconds() - self._before

    def close(self) -> None:
        self.kill()


class RefusingEnclosure(SessionEnclosure):
    """An enclosure that cannot hold any process."""

    def take(self, pid: int, /) -> None:
        super().take(pid)
        raise OSError("it cannot be held")


def children_seconds() -> float:
    """Return the CPU seconds of all our children that are dead."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
