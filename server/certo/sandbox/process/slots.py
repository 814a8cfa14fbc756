"""Limit on concurrent runs, and the order in which waiting runs start."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath

import anyio

from certo.sandbox.executor import Work

_PROC = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")


def processors(membership: Path = _PROC, cgroups: Path = _CGROUPS) -> int:
    """Return the number of processors this process may keep busy, at least one even if its share is less.

    That is the number it may be scheduled on, or the quota of its control groups if that is smaller; see cgroups(7).
    `membership` is the file that lists those groups, `cgroups` the folder where they are mounted.
    """
    affine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min((affine, *_quotas(membership, cgroups)))))


def _quotas(membership: Path, cgroups: Path) -> Iterator[float]:
    """Yield the quota, in processors, of each control group above this process that has one."""
    for line in _text_of(membership).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            for group in _upwards(cgroups, path):
                yield from _quota(*(_text_of(group / "cpu.max").split() or ("max", "1")))
        elif "cpu" in controllers.split(","):
            for group in _upwards(cgroups / controllers, path):
                yield from _quota(_text_of(group / "cpu.cfs_quota_us"), _text_of(group / "cpu.cfs_period_us"))


def _upwards(place: Path, path: str) -> Iterator[Path]:
    """Yield a control group and all above it: any of them may have a quota for everything below it."""
    relative = PurePosixPath(path.lstrip("/"))
    return (place / group for group in (relative, *relative.parents))


def _quota(microseconds: str, period: str) -> Iterator[float]:
    """Yield the quota in processors; nothing if the kernel says `max` or -1, or there is no file."""
    if microseconds.strip().isdecimal() and int(period) > 0:
        yield int(microseconds) / int(period)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


class Slots:
    """A fixed number of concurrent runs. Background runs wait for all others; otherwise first come, first served.

    A standing run needs no slot. A run keeps its slot to its end, whatever arrives meanwhile.
    """

    def __init__(self, total: int | None) -> None:
        """Offer `total` slots; None means one per processor."""
        self._free = total or processors()
        self._waiting: deque[anyio.Event] = deque()
        self._in_background: deque[anyio.Event] = deque()

    @asynccontextmanager
    async def taken(self, work: Work) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        if work.standing:
            yield
            return
        await self._take(self._in_background if work.background else self._waiting)
        try:
            yield
        finally:
            self._give_back()

    async def _take(self, line: deque[anyio.Event]) -> None:
        if self._free:
            # No one waits while there is a free slot.
            self._free -= 1
            return
        turn = anyio.Event()
        line.append(turn)
        try:
            await turn.wait()
        except BaseException:
            # A waiter cancelled after its event was set already owns the slot and must free it.
            if turn.is_set():
                self._give_back()
            else:
                line.remove(turn)
            raise

    def _give_back(self) -> None:
        """Pass the slot directly to the next waiter, so that no later arrival can take it first."""
        line = self._waiting or self._in_background
        if line:
            line.popleft().set()
        else:
            self._free += 1
