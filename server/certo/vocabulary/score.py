"""A number that says how near a candidate is, or how good, with its unit and its source."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(NoTruthValue):
    """What a search steers by, of a candidate that passed or of one that did not.

    More is better where `maximize`, as it is of all that certo counts itself; of what others measure, less may be.
    `metrics` are further numbers that were measured with it, by their names; nothing goes by them.
    """

    ask_for: ClassVar[str] = ".value or .merit"

    value: float
    unit: str
    source: str
    maximize: bool = True
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def merit(self) -> float:
        """The same number the way round in which more is better: the one place where the direction counts."""
        return self.value if self.maximize else -self.value


def merit_of(score: Score | None) -> float:
    """How good a score is, more is better; one that is not known is worse than all that are."""
    return score.merit if score is not None else -math.inf
