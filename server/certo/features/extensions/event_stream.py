"""Event stream of one search to one client, no faster than the client reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio

from certo.features.editor.window import EditorWindow
from certo.protocol.events import encode
from certo.sessions.live import LiveSearch
from certo.sessions.subscribers import Hear
from certo.vocabulary.events import BudgetSpent, Event, GeneratorReported, SearchPreparing

PROGRESS = (SearchPreparing, GeneratorReported, BudgetSpent)
"""Events of which a slow client needs only the last; drafts are already left out of the history."""

BATCH = 16
"""Maximum number of events per message."""


class Stream:
    """One client's position in the events of one search, sent in order, each once.

    A client that reads gets every event as it happens. For one that does not, only `position` is stored, the number of
    the last event sent: the rest comes from the search's history when it reads again.
    """

    def __init__(self, live: LiveSearch, window: EditorWindow, token: int | str, position: int) -> None:
        self.position = position
        self._live = live
        self._window = window
        self._token = token
        self._held_up = False
        self._stirred = anyio.Event()

    async def follow(self, subscribe: Callable[[Hear], Callable[[], None]]) -> None:
        """Send past and new events until the search has ended and all are sent.

        `subscribe` is the one of the searches to which this search belongs.
        """
        leave = subscribe(self._hear)
        try:
            self._catch_up()
            while not self._done:
                if self._held_up:
                    await self._window.room()
                    self._catch_up()
                else:
                    await self._stirred.wait()
                    self._stirred = anyio.Event()
        finally:
            leave()

    @property
    def _done(self) -> bool:
        return self._live.history.ended and self.position >= self._live.history.last

    def _hear(self, live: LiveSearch, event: Event) -> None:
        """Send an event at once if the client reads."""
        if live is not self._live or event.seq <= self.position or self._held_up:
            return
        if self._window.is_full:
            self._held_up = True
        else:
            self._send((event,))
        self._stirred.set()

    def _catch_up(self) -> None:
        """Send the events the client has missed, for as long as it reads."""
        missed = self._live.history.since(self.position)
        if self._held_up:
            missed = _last_words(missed)
        for start in range(0, len(missed), BATCH):
            if self._window.is_full:
                self._held_up = True
                return
            self._send(missed[start : start + BATCH])
        self._held_up = False

    def _send(self, events: Sequence[Event]) -> None:
        self._window.partial(self._token, [encode(event) for event in events])
        self.position = events[-1].seq


def _last_words(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events without progress reports that a later one replaces."""
    last = {type(event): event.seq for event in events}
    return tuple(event for event in events if not isinstance(event, PROGRESS) or last[type(event)] == event.seq)
