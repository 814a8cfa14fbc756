"""A number that says how near a candidate is, or how good, with its unit and its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a search steers by, of a candidate that passed or of one that did not.

    More is better where `maximize`, as it is of all that certo counts itself; of what others measure, less may be.
    """

    value: float
    unit: str
    source: str
    maximize: bool = True

    @property
    def merit(self) -> float:
        """The same number the way round in which more is better: the one place where the direction counts."""
        return self.value if self.maximize else -self.value
