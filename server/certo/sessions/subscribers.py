"""Who hears of searches: every event, what else changed about one, and sentences that are about no search alone."""

from __future__ import annotations

import logging
from collections.abc import Callable

from certo.sessions.live import LiveSearch
from certo.vocabulary.events import Event

log = logging.getLogger(__name__)

Hear = Callable[[LiveSearch, Event], None]
"""Hears an event of a search, after its board has; must return quickly and must not raise."""

Notice = Callable[[LiveSearch], None]
"""Is told that something else about a search changed: it was begun, is being accepted, was forgotten, or is back."""

Say = Callable[[str], None]
"""Takes a sentence for the user that is about no search alone."""


class Subscribers:
    """Everybody who hears of the searches of one process, in the order in which they came."""

    def __init__(self) -> None:
        self._each: dict[object, tuple[Hear, Notice, Say]] = {}

    def add(self, hear: Hear, notice: Notice, said: Say) -> Callable[[], None]:
        """Have everything told from now on; call what comes back to hear no more."""
        key = object()
        self._each[key] = (hear, notice, said)

        def leave() -> None:
            self._each.pop(key, None)

        return leave

    def hear(self, live: LiveSearch, event: Event) -> None:
        """Tell an event; a bug of one who hears of it keeps it from nobody else."""
        for hear, _, _ in tuple(self._each.values()):
            try:
                hear(live, event)
            except Exception:
                log.exception("whoever hears of search %s met a bug at %s", live.id, event.type)

    def notice(self, live: LiveSearch) -> None:
        """Tell that something about a search changed that is no event of it."""
        for _, notice, _ in tuple(self._each.values()):
            notice(live)

    def say(self, sentence: str) -> None:
        """Tell what is about no search alone."""
        for _, _, said in tuple(self._each.values()):
            said(sentence)
