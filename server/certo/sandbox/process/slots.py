"""Limit on concurrent runs, and the order in which waiting runs start."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import cache
from itertools import count
from operator import attrgetter
from pathlib import Path, PurePosixPath

import anyio

from certo.sandbox.executor import Work
from certo.vocabulary.records import dataclass

_PROC = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")


def processors(membership: Path = _PROC, cgroups: Path = _CGROUPS) -> int:
    """Return the number of processors this process may keep busy, at least one even if its share is less.

    That is the number it may be scheduled on, or the quota of its control groups if that is smaller; see cgroups(7).
    `membership` is the file that lists those groups, `cgroups` the folder where they are mounted.
    """
    affine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min((affine, *_quotas(membership, cgroups)))))


@cache
def _quotas(membership: Path, cgroups: Path) -> tuple[float, ...]:
    """Return the quota, in processors, of each control group above this process that has one; read once."""
    return tuple(_read_quotas(membership, cgroups))


def _read_quotas(membership: Path, cgroups: Path) -> Iterator[float]:
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


_place: ContextVar[tuple[int, ...]] = ContextVar("certo.sandbox.place", default=())
_numbers = count(1)


@contextmanager
def own_place() -> Iterator[None]:
    """Give the runs of this context a place of their own in the order of waiting runs, behind those given before.

    A context within another one orders runs among those of the outer one: a search has a place, and in it each of its
    candidates. Runs of no context, such as those of an accepted candidate, are short and come before all searches.
    """
    token = _place.set((*_place.get(), next(_numbers)))
    try:
        yield
    finally:
        _place.reset(token)


_BY_ARRIVAL_EVERY = 4
"""One in so many slots goes to the run that has waited longest, so that an endless search starves no other."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A run that waits for a slot: its place, and its number in the order of arrival."""

    background: bool
    place: tuple[int, ...]
    arrival: int
    turn: anyio.Event = field(default_factory=anyio.Event)

    @property
    def by_place(self) -> tuple[bool, tuple[int, ...], int]:
        """The order in which runs come in: background runs last, the oldest search and its oldest candidate first."""
        return self.background, self.place, self.arrival

    @property
    def by_arrival(self) -> tuple[bool, int]:
        """The order of those that have waited longest, background runs last."""
        return self.background, self.arrival


class Slots:
    """A limited number of concurrent runs. Of those that wait, the oldest search goes first, and its oldest candidate.

    So the first of many searches is almost as fast as alone. Background runs wait for all others. A standing run needs
    no slot. A run keeps its slot to its end, whatever arrives meanwhile.
    """

    def __init__(self, total: int | None) -> None:
        """Offer `total` slots; None means one per processor."""
        self._free = total or processors()
        self._waiting: list[_Waiting] = []
        self._arrivals = count()
        self._given = 0

    @asynccontextmanager
    async def taken(self, work: Work) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        if work.standing:
            yield
            return
        await self._take(background=work.background)
        try:
            yield
        finally:
            self._give_back()

    def grow(self, more: int) -> None:
        """Offer `more` slots; if negative, fewer, as soon as runs have given theirs back."""
        self._free += more
        self._let_in()

    async def _take(self, *, background: bool) -> None:
        if self._free > 0:
            # No one waits while there is a free slot.
            self._free -= 1
            return
        waiting = _Waiting(background, _place.get(), next(self._arrivals))
        self._waiting.append(waiting)
        try:
            await waiting.turn.wait()
        except BaseException:
            # A waiter cancelled after its event was set already owns the slot and must free it.
            if waiting.turn.is_set():
                self._give_back()
            else:
                self._waiting.remove(waiting)
            raise

    def _give_back(self) -> None:
        self._free += 1
        self._let_in()

    def _let_in(self) -> None:
        """Pass free slots directly to those who wait, so that no later arrival can take one first."""
        while self._free > 0 and self._waiting:
            self._free -= 1
            self._given += 1
            order = attrgetter("by_place" if self._given % _BY_ARRIVAL_EVERY else "by_arrival")
            chosen = min(self._waiting, key=order)
            self._waiting.remove(chosen)
            chosen.turn.set()
