"""The emitter: numbers and times the events of one search and hands them to its listener."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from certo.sandbox.process.starvation import meter
from certo.vocabulary.events import Event

Listener = Callable[[Event], None]
"""Takes one event; must return quickly, must not raise, and must not call back into the search."""

Completion = Callable[[Event], Iterator[Event]]
"""Yields what to hand on for one event, that event included; the listener has heard each before the next is made."""


def as_it_is(event: Event) -> Iterator[Event]:
    """Yield an event of which nothing follows."""
    yield event


class EventEmitter:
    """The only source of a search's events: gives each event its number, its search and its time.

    Numbers start at 1 and have no gaps; times are seconds since the search began.
    """

    def __init__(
        self,
        search: str,
        listener: Listener,
        *,
        after: Event | None = None,
        seconds: float | None = None,
        completed: Completion = as_it_is,
    ) -> None:
        """Emit the events of `search` from now on; a search that goes on continues `after` its last event.

        `seconds` is how long the search had worked by then, if that is less than the time of its last event. Each event
        is handed on as `completed`.
        """
        self.search = search
        self._listener = listener
        self._completed = completed
        at = 0.0 if after is None else after.at
        self._began = time.monotonic() - (at if seconds is None else seconds)
        self._starved_before = meter().starved
        self._excused = 0.0
        self._seq = 0 if after is None else after.seq

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._began

    @property
    def charged(self) -> float:
        """Seconds that count for the search's budget: without those in which no processor was free, or excused."""
        return max(0.0, self.elapsed - self._excused - (meter().starved - self._starved_before))

    def excuse(self, seconds: float) -> None:
        """Do not charge the search for so many seconds."""
        self._excused += seconds

    def emit(self, event: Event) -> None:
        """Hand the listener a copy of `event`, and of what follows from it, with its number, search and time."""
        for each in self._completed(event):
            self._seq += 1
            self._listener(replace(each, seq=self._seq, search=self.search, at=round(self.elapsed, 4)))
