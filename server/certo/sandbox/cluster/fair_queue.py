"""Order of the runs on other machines: round robin between searches, background runs last."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

import anyio


class FairQueue:
    """So many runs on their way at once; among those that wait, every lane gets its turn before one gets a second.

    A lane is whatever runs belong together, a search for instance. Lanes of background runs wait until no other does.
    """

    def __init__(self, total: int) -> None:
        self._free = total
        self._waiting: dict[tuple[bool, Hashable], deque[anyio.Event]] = {}

    def grow(self, more: int) -> None:
        """Let so many more on their way at once; so many fewer when it is negative, once enough have come back."""
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
            # A lane that had its turn goes to the end, so the first in the table is the one that waits longest for one.
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
