"""News: whether tries still bring candidates that were not there before, and when to leave it at that."""

from __future__ import annotations

from certo.generation.generator import Attempt
from certo.search.strategy import Bench

MAX_WITHOUT_PROGRESS = 10
"""How many tries in a row may bring nothing that was not there before, until there is no hope of more."""

STAGNATED = f"{MAX_WITHOUT_PROGRESS} tries in a row brought no candidate that was not there before"
"""Why a search is left at that."""


class StagnationMonitor:
    """Keeps account, for one strategy at work, of what its tries brought."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._seen: set[str] = set()
        self._without = 0

    def hear(self, *made: Attempt | None) -> None:
        """Take in what one try brought, or the several tries of one experiment."""
        known = len(self._seen)
        self._seen.update(each.candidate.id for each in made if each is not None)
        self._without = 0 if len(self._seen) > known else self._without + 1

    @property
    def is_hopeless(self) -> bool:
        """Whether nobody will get another candidate, or whoever is asked keeps saying the same, which is said."""
        if self._without >= MAX_WITHOUT_PROGRESS:
            self._bench.conclude(STAGNATED)
            return True
        return not self._bench.affords()
