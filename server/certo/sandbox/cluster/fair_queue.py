"""Order of the runs on other machines: round robin between searches, background runs last."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

import anyio


class FairQueue:
    """A limited number of concurrent runs; among waiting ones, every lane gets a turn before any gets a second.

    A lane is a group of runs that belong together, such as a search. Lanes of background runs wait for all others.
    """

    def __init__(self, total: int) -> None:
        self._free = total
        self._waiting: dict[tuple[bool, Hashable], deque[anyio.Event]] = {}

    def grow(self, more: int) -> None:
        """Raise the limit by `more`; if negative, lower it as runs return."""
        self._free += more
        self._let_in()

    @asynccontextmanager
    async def taken(self, lane: Hashable, *, background: bool) -> AsyncIterator[None]:
        """Wait for a turn and hold it."""
        turn = anyio.Event()
        line = self._waiting.setdefault((background, lane), deque())
        line.append(turn)
        self._let_in()
        try:
            await turn.wait()
            yield
        finally:
            if turn.is_set():
                self._free += 1
            else:
                self._forget((background, lane), turn)
            self._let_in()

    def _let_in(self) -> None:
        while self._free > 0 and self._waiting:
            # A lane moves to the end after its turn, so the first in the table has waited longest.
            key = min(self._waiting, key=lambda key: key[0])
            line = self._waiting.pop(key)
            line.popleft().set()
            self._free -= 1
            if line:
                self._waiting[key] = line

    def _forget(self, key: tuple[bool, Hashable], turn: anyio.Event) -> None:
        self._waiting[key].remove(turn)
        if not self._waiting[key]:
            del self._waiting[key]
