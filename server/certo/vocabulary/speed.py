"""Measured speed of a candidate against the text as it is."""

from __future__ import annotations

from typing import ClassVar

from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Growth of the time of a call with the size n of its arguments, as the exponents k of n^k before and after."""

    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed(NoTruthValue):
    """The factor by which a candidate is faster, with its bounds.

    `ratio` is the median over `rounds`, each a process of its own. The true median is at least `low` and at most
    `high`, each with 99 % confidence. `control` is the median ratio of the original to a copy of itself. The calls
    have arguments `scale` times as large as those known of the function. On calls of their own size the ratio is
    `observed`, None if that is what was measured. `growth` is None if only one size could be measured.
    """

    ask_for: ClassVar[str] = ".low"

    ratio: float
    low: float
    high: float
    control: float
    rounds: int
    scale: float = 1.0
    observed: float | None = None
    growth: Growth | None = None
