"""How many runs go on at once, and which of those that wait is next."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from certo.sandbox.executor import Work
from certo.sandbox.processors import processors


class Slots:
    """So many runs at once: background runs wait for all others, and among equals who came first is served first.

    A standing run needs no slot. A run that has its slot keeps it to its end, whoever comes meanwhile.
    """

    def __init__(self, total: int | None) -> None:
        """Offer `total` slots; None stands for as many as there are processors."""
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
            # Nobody waits while there is a free one.
            self._free -= 1
            return
        turn = anyio.Event()
        line.append(turn)
        try:
            await turn.wait()
        except BaseException:
            # Who is cancelled just when its turn has come has the slot already.
            if turn.is_set():
                self._give_back()
            else:
                line.remove(turn)
            raise

    def _give_back(self) -> None:
        """Hand the slot straight to the next in line, so that nobody who comes later can take it first."""
        line = self._waiting or self._in_background
        if line:
            line.popleft().set()
        else:
            self._free += 1
