"""Turns of searches that compute, of which few begin at once, and of work that nobody asked for."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import field

import anyio

from certo.concurrency import background_tasks
from certo.sandbox.process.slots import processors
from certo.sandbox.process.starvation import patient_limit
from certo.vocabulary.records import dataclass

MAX_SECONDS = 5.0
"""Maximum time for which a search without a candidate keeps others from beginning."""


class SearchTurns:
    """Lets few searches look for their first candidate at once, the oldest first; a search needs about two processors.

    Otherwise ten searches that start together would all be slow: the first would have its first candidate no sooner
    than the last.
    """

    def __init__(self) -> None:
        self._free = anyio.Semaphore(max(1, processors() // 2))

    @property
    def busy(self) -> bool:
        """True if a search that comes now has to wait."""
        return self._free.value == 0

    @asynccontextmanager
    async def taken(self, found: anyio.Event) -> AsyncIterator[None]:
        """Wait for a turn, and hold it until `found` is set, for MAX_SECONDS, or to the end of the context."""
        await self._free.acquire()
        held = True

        def give_back() -> None:
            nonlocal held
            if held:
                held = False
                self._free.release()

        async def until_found() -> None:
            async with patient_limit(MAX_SECONDS):
                await found.wait()
            give_back()

        try:
            async with background_tasks() as group:
                group.start_soon(until_found)
                yield
        finally:
            give_back()


SAVED_MINUTES = 10.0
"""The minutes whose processor time can be saved up: then a repair need not wait for the next minutes."""


@dataclass(slots=True)
class ProcessorAllowance:
    """The balance of processor seconds; what takes more than there is leaves a debt, which is waited out."""

    clock: Callable[[], float] = time.monotonic
    _spent: float = 0.0
    _at: float | None = field(default=None)

    def spend(self, seconds: float) -> None:
        """Take note of processor time that was taken."""
        self._spent += seconds

    def seconds_to_wait(self, per_minute: float) -> float:
        """Return the seconds until work may begin; 0 if it may now. `per_minute` are the processor seconds allowed."""
        now = self.clock()
        if self._at is not None:
            self._spent = max(0.0, self._spent - (now - self._at) / 60 * per_minute)
        self._at = now
        owed = self._spent - SAVED_MINUTES * per_minute
        return 0.0 if owed < 0 else (owed / per_minute + _STEP) * 60


_STEP = 0.1
"""The part of a minute that is waited for at least, so that there is something to spend."""


@dataclass(slots=True)
class UnaskedWork:
    """Work in the background that no client asked for: one piece at a time, within one allowance for all clients.

    `tried` and `dismissed` are texts of functions that are not looked at again.
    """

    allowance: ProcessorAllowance = field(default_factory=ProcessorAllowance)
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    tried: set[tuple[object, ...]] = field(default_factory=set)
    dismissed: set[tuple[object, ...]] = field(default_factory=set)
