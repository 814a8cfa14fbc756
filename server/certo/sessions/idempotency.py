"""Wishes that are sent twice: the key a client gave a search, so that the same wish finds it instead of a new one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from certo.vocabulary.errors import KeyReused

KEPT_SECONDS = 24 * 3600
"""How long a key is remembered."""


@dataclass(frozen=True, slots=True)
class _KeyedSearch:
    """A wish, as a text that is the same for the same wish only, the search it led to, and when."""

    wish: str
    search: str
    at: float


@dataclass(slots=True)
class IdempotencyKeys:
    """The keys of one daemon, whoever gave them; `now` is a clock in seconds."""

    now: Callable[[], float] = time.monotonic
    _kept: dict[str, _KeyedSearch] = field(default_factory=dict)

    def find(self, key: str, wish: str) -> str | None:
        """The id of the search that this wish led to under this key; None when it is new.

        Raises:
            KeyReused: under this key something else was asked for.
        """
        keyed = self._kept.get(key)
        if keyed is None or self._is_old(keyed):
            return None
        if keyed.wish != wish:
            raise KeyReused(
                f"the key {key!r} belongs to search {keyed.search}, which was asked for otherwise; "
                "give every new wish a key of its own"
            )
        return keyed.search

    def keep(self, key: str, wish: str, search: str) -> None:
        """Remember what a wish has led to, and forget what is old."""
        for old in [known for known, keyed in self._kept.items() if self._is_old(keyed)]:
            del self._kept[old]
        self._kept[key] = _KeyedSearch(wish, search, self.now())

    def _is_old(self, keyed: _KeyedSearch) -> bool:
        return self.now() - keyed.at > KEPT_SECONDS
