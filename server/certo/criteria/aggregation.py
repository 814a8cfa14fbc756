"""Aggregation of several samples' numbers; the middle of the scale, marked as a fallback, if there are too few."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from certo.criteria.answers import Reading
from certo.criteria.sampling import Sample
from certo.vocabulary.cost import Spread
from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue
from certo.vocabulary.verdict import Votes

AGGREGATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "avg": lambda values: math.fsum(values) / len(values),
    "med": statistics.median,
    "min": min,
    "max": max,
}
"""Aggregation functions by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The scale of a criterion, from `low` to `high`; values outside are clamped or dropped."""

    low: float
    high: float
    clamps: bool

    @property
    def middle(self) -> float:
        """The number that is used if no judge gave one."""
        return self.low / 2 + self.high / 2

    def fit(self, reading: Reading[float]) -> Reading[float]:
        """Return the reading on the scale: a value outside is clamped, or dropped with the reason."""
        value = reading.value
        if value is None or self.low <= value <= self.high:
            return reading
        if self.clamps:
            return replace(reading, value=min(max(value, self.low), self.high))
        return replace(reading, value=None, why=f"the answer {value:g} is not from {self.low:g} to {self.high:g}")


def aggregate(values: Sequence[float], scale: Scale, *, how: str, least: int) -> Spread:
    """Return one number for those given; the middle of the scale if there are fewer than `least`."""
    enough = len(values) >= least
    return Spread(
        values=tuple(values),
        aggregate=AGGREGATIONS[how](values) if enough else scale.middle,
        low=scale.low,
        high=scale.high,
        fallback=not enough,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(NoTruthValue):
    """Rating of some material by a quantitative criterion.

    `message` names a problem with the number, such as that it is a fallback. `samples` are the original answers,
    `parts` the ratings that it combines, if any.
    """

    ask_for: ClassVar[str] = ".value or .cost"

    spread: Spread
    higher_is_better: bool = False
    message: str = ""
    samples: tuple[Sample[float], ...] = ()
    parts: tuple[Rating, ...] = ()

    def __float__(self) -> float:
        return self.value

    @property
    def value(self) -> float:
        """The aggregated number."""
        return self.spread.aggregate

    @property
    def cost(self) -> float:
        """The number with lower as better: the distance to the maximum where higher is better."""
        return self.spread.high - self.value if self.higher_is_better else self.value

    @property
    def least_cost(self) -> float:
        """The cost of the best value."""
        return 0.0 if self.higher_is_better else self.spread.low

    @property
    def most_cost(self) -> float:
        """The cost of the worst value."""
        return self.spread.high - self.spread.low if self.higher_is_better else self.spread.high

    @property
    def fallback(self) -> bool:
        """True if the number, or a part of it, is the middle of the scale for lack of answers."""
        return self.spread.fallback

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that judges gave, and the errors in their answers."""
        said = (one.error or one.reason for one in self.samples)
        return tuple(dict.fromkeys(filter(None, (*said, *(why for part in self.parts for why in part.reasons)))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Voting rule: at most `asked` votes, of which `least` must be usable and `needed` in favour."""

    asked: int
    least: int = 1
    needed: int = 1

    def decided(self, heard: Sequence[Sample[bool]]) -> bool:
        """True if no further answer can change the ruling."""
        votes = self.count(heard)
        to_come = self.asked - len(heard)
        if votes.passed >= self.needed and votes.valid >= self.least:
            return True
        return votes.passed + to_come < self.needed or votes.valid + to_come < self.least

    def count(self, heard: Sequence[Sample[bool]]) -> Votes:
        """Return the votes among the answers."""
        valid = [one.value for one in heard if one.value is not None]
        return Votes(passed=sum(valid), valid=len(valid), asked=self.asked, needed=self.needed)

    def passes(self, votes: Votes) -> bool:
        """True if enough votes are usable, and enough of them in favour."""
        return votes.valid >= self.least and votes.passed >= self.needed

    def in_words(self, votes: Votes, heard: int) -> str:
        """Return a message about votes that did not pass, of which `heard` have come; empty if they passed."""
        if self.passes(votes):
            return ""
        if votes.valid + self.asked - heard < self.least:
            return f"insufficient valid answers of the model: {votes.valid}/{self.least}"
        return f"failed the criterion ({votes.passed}/{votes.valid} samples passed, need {self.needed})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Votes on some material by a qualitative criterion.

    `message` gives the reason for not passing. `samples` are the original answers, `parts` the decisions that it
    combines, if any. `heard` is True if any answer came, even an unusable one.
    """

    passed: bool
    message: str
    votes: Votes
    samples: tuple[Sample[bool], ...] = ()
    parts: tuple[Decision, ...] = ()
    heard: bool = True

    def __bool__(self) -> bool:
        return self.passed

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that judges gave and the errors in their answers; votes against come first."""
        own = sorted(self.samples, key=lambda one: (one.value is not False, one.value is None))
        said = (one.error or one.reason for one in own)
        return tuple(dict.fromkeys(filter(None, (*said, *(why for part in self.parts for why in part.reasons)))))
