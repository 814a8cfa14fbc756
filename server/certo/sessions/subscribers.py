"""Subscribers to searches: to every event, to other changes, and to sentences that are about no search alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from certo.sessions.live import LiveSearch
from certo.vocabulary.events import Event
from certo.vocabulary.progress import Say

log = logging.getLogger(__name__)

Hear = Callable[[LiveSearch, Event], None]
"""Hears an event of a search, after its state has it; must return quickly and must not raise."""

Notice = Callable[[LiveSearch], None]
"""Is told that something else about a search changed: it was begun, is being accepted, was forgotten, or is back."""


class Subscribers:
    """The subscribers to the searches of one process, in the order in which they came."""

    def __init__(self) -> None:
        self._each: dict[object, tuple[Hear, Notice, Say]] = {}

    def add(self, hear: Hear, notice: Notice, said: Say) -> Callable[[], None]:
        """Add a subscriber from now on; return a function by which it leaves."""
        key = object()
        self._each[key] = (hear, notice, said)

        def leave() -> None:
            self._each.pop(key, None)

        return leave

    def hear(self, live: LiveSearch, event: Event) -> None:
        """Tell an event; a bug of one subscriber keeps it from no other."""
        for hear, _, _ in self._present():
            with self._contained(f"at {event.type} of search {live.id}"):
                hear(live, event)

    def notice(self, live: LiveSearch) -> None:
        """Tell that something about a search changed that is no event of it; a bug is contained as in `hear`."""
        for _, notice, _ in self._present():
            with self._contained(f"at a notice of search {live.id}"):
                notice(live)

    def say(self, sentence: str) -> None:
        """Tell a sentence that is about no search alone; a bug is contained as in `hear`."""
        for _, _, said in self._present():
            with self._contained("at a sentence"):
                said(sentence)

    def _present(self) -> Iterator[tuple[Hear, Notice, Say]]:
        """Yield the subscribers of now, but for those that have left by their turn: one may make another leave."""
        for key, each in tuple(self._each.items()):
            if key in self._each:
                yield each

    @contextmanager
    def _contained(self, where: str) -> Iterator[None]:
        """Log what a subscriber raises; it is called at the edge of a search, where nothing would catch it."""
        try:
            yield
        except Exception:
            log.exception("a subscriber met a bug %s", where)
