"""Requests that are sent twice: the key that a client gives a search, so that the same request finds it again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import field

from certo.vocabulary.errors import KeyReused
from certo.vocabulary.records import dataclass

KEPT_SECONDS = 24 * 3600
"""How long a key is remembered."""


@dataclass(frozen=True, slots=True)
class _KeyedSearch:
    """A request, as a text that is the same for equal requests only, the search it started, and when."""

    request: str
    search: str
    at: float


@dataclass(slots=True)
class IdempotencyKeys:
    """The keys of one daemon, of all its clients; `now` is a clock in seconds."""

    now: Callable[[], float] = time.monotonic
    _kept: dict[str, _KeyedSearch] = field(default_factory=dict)

    def find(self, key: str, request: str) -> str | None:
        """Return the id of the search that this request started under this key; None if it is new.

        Raises:
            KeyReused: under this key something else was asked for.
        """
        keyed = self._kept.get(key)
        if keyed is None or self._is_old(keyed):
            return None
        # A client that uses a key twice by mistake must not get the search of another request as its own.
        if keyed.request != request:
            raise KeyReused(
                f"the key {key!r} belongs to search {keyed.search}, which was asked for otherwise; "
                "give every new wish a key of its own"
            )
        return keyed.search

    def keep(self, key: str, request: str, search: str) -> None:
        """Remember the search that a request started, and forget old keys."""
        # Only here, so that looking a key up stays cheap; the table is still bounded, by the searches of a day.
        for old in [known for known, keyed in self._kept.items() if self._is_old(keyed)]:
            del self._kept[old]
        self._kept[key] = _KeyedSearch(request, search, self.now())

    def _is_old(self, keyed: _KeyedSearch) -> bool:
        return self.now() - keyed.at > KEPT_SECONDS
