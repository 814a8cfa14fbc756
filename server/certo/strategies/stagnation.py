"""Stagnation: noticing that attempts bring no new candidates any more."""

from __future__ import annotations

from certo.generation.generator import Attempt
from certo.search.strategy import Bench

MAX_WITHOUT_PROGRESS = 10
"""The number of attempts in a row that may bring no new candidate before the search stops."""

STAGNATED = f"{MAX_WITHOUT_PROGRESS} tries in a row brought no candidate that was not there before"
"""The reason that the user is told."""


class StagnationMonitor:
    """Counts, for one run of a strategy, the attempts that brought no new candidate."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._seen: set[str] = set()
        self._without = 0

    def hear(self, *made: Attempt | None) -> None:
        """Count the result of one attempt, or of all attempts of one experiment."""
        known = len(self._seen)
        self._seen.update(each.candidate.id for each in made if each is not None)
        self._without = 0 if len(self._seen) > known else self._without + 1

    @property
    def is_hopeless(self) -> bool:
        """True if another attempt is not possible or not worth it; stagnation is given to the bench as the reason."""
        if self._without >= MAX_WITHOUT_PROGRESS:
            self._bench.conclude(STAGNATED)
            return True
        return not self._bench.affords()
