"""Numbering events on their way out of a search."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from certo.vocabulary.events import Event

Listener = Callable[[Event], None]
"""Takes one event; must return quickly, must not raise, and must not call back into the search."""


class EventEmitter:
    """The one door through which a search speaks: gives each event its number, its search and its time.

    Numbers start at 1 and have no gaps; times are seconds since the search began.
    """

    def __init__(
        self, search: str, listener: Listener, *, after: Event | None = None, seconds: float | None = None
    ) -> None:
        """Speak for a search from now on; where it has spoken before, go on `after` what it said last.

        `seconds` is how long it had been at work by then, where that is less than its last event says.
        """
        self.search = search
        self._listener = listener
        at = 0.0 if after is None else after.at
        self._began = time.monotonic() - (at if seconds is None else seconds)
        self._seq = 0 if after is None else after.seq

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._began

    def tell(self, kind: type[Event], /, **fields: Any) -> None:
        """Make the next event of the given kind and hand it to the listener."""
        self._seq += 1
        self._listener(kind(seq=self._seq, search=self.search, at=round(self.elapsed, 4), **fields))
