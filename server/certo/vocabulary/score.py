"""A number that says how near a candidate is, or how good, with its unit and its source."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(NoTruthValue):
    """The number by which a search compares candidates, whether they passed or not.

    With `maximize` higher is better, as for all scores of certo's own; for an evaluator lower may be better. `metrics`
    are further numbers that were measured with it, by name; they decide nothing. `remark` is what an evaluator said of
    the candidate in words, for the next proposal.
    """

    ask_for: ClassVar[str] = ".value or .merit"

    value: float
    unit: str
    source: str
    maximize: bool = True
    metrics: Mapping[str, float] = field(default_factory=dict)
    remark: str = ""

    @property
    def merit(self) -> float:
        """The same number the way round in which more is better: the one place where the direction counts."""
        return self.value if self.maximize else -self.value


def merit_of(score: Score | None) -> float:
    """Return a number that is higher for better scores; an unknown score is worse than all known ones."""
    return score.merit if score is not None else -math.inf
