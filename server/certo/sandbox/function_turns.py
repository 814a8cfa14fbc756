"""The number of functions that are worked on at the same time: as many as the place of their runs has room for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field

import anyio

from certo.sandbox.executor import Executor
from certo.sandbox.process.slots import processors
from certo.vocabulary.records import dataclass

MIN_AT_ONCE, MAX_AT_ONCE = 2, 32
"""Functions at the same time: one waits for a single run now and then, and each keeps its findings in memory here."""


def functions_at_once(executor: Executor) -> int:
    """Return how many functions are worked on at the same time if their runs go to `executor`, as it is now."""
    # The executor of a plug-in need not say it.
    room: int | None = getattr(executor, "room", None)
    return min(MAX_AT_ONCE, max(MIN_AT_ONCE, processors() if room is None else room))


@dataclass(slots=True)
class FunctionTurns:
    """Turns of functions, handed out in the order of their arrival.

    Workers that join or leave change the number of turns as soon as one begins or ends.
    """

    _limiters: dict[int, anyio.CapacityLimiter] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, executor: Executor) -> AsyncIterator[None]:
        """Wait for the turn of a function whose runs go to `executor`, and hold it."""
        total = functions_at_once(executor)
        # By identity: callers keep the executor, and one of a plug-in need not be hashable.
        limiter = self._limiters.setdefault(id(executor), anyio.CapacityLimiter(total))
        limiter.total_tokens = total
        async with limiter:
            try:
                yield
            finally:
                limiter.total_tokens = functions_at_once(executor)
