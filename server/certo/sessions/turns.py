"""Turns of searches that compute: when many start at once, they begin one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from certo.concurrency import background_tasks
from certo.sandbox.process.slots import processors
from certo.sandbox.process.starvation import patient_limit

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
