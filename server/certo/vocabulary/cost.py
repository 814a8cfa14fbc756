"""Budgets of searches, the spending on them, and the costs of candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from certo.vocabulary.records import dataclass

MIN_SECONDS: Final = 2.0
"""The shortest search: with less time left its tests would not even have run."""

UNKNOWN: Final = 1e12
"""The value of a cost that could not be found: more than any real one, so that its candidate comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The numbers a candidate was given by a criterion on a scale from `low` to `high`, and what was made of them.

    `fallback` says that they were too few, so that `aggregate` is the middle of the scale and nobody's judgement.
    """

    criterion: str = ""
    values: tuple[float, ...]
    aggregate: float
    low: float
    high: float
    fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A number by which candidates are compared, lower is better, with its unit and source in words.

    `spreads` are the numbers it was made of that criteria gave, one for each criterion. Where it could not be found the
    value is UNKNOWN, and the source says why.
    """

    value: float
    unit: str
    source: str
    spreads: tuple[Spread, ...] = ()

    @property
    def known(self) -> bool:
        """True if the cost could be determined."""
        return self.value < UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of one search: candidates judged, wall-clock seconds, and the use of language models.

    `calls`, `tokens` (read and written together) and `dollars` are None if they are not limited. If this is a share of
    the budget that the user has set, `of` is the whole.
    """

    candidates: int = 64
    seconds: float = 60.0
    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    of: Budget | None = None

    def said(self, name: str) -> str:
        """One of its amounts as its user has set it: "seconds = 60", and what of that there is if that is not all."""
        mine, whole = getattr(self, name), getattr(self.of or self, name)
        return f"{name} = {whole:g}" + (f", of which this search had {mine:.3g}," if mine != whole else "")

    def share_for(self, spent: Spent, others: int) -> Budget:
        """Return the part of this budget for a search after which `others` more are planned, with `spent` gone.

        Only seconds are divided: 3 : 2 : 1 among three searches. What a search leaves over goes to the next ones. All
        other amounts are there for the searches in their order. Dollars that are unknown count as all spent.
        """
        if not others and spent == NOTHING_SPENT:
            return self
        seconds = max(MIN_SECONDS, (self.seconds - spent.seconds) * 2 / (others + 2))
        return replace(
            self,
            seconds=min(self.seconds, seconds),
            candidates=max(1, self.candidates - spent.candidates),
            calls=None if self.calls is None else max(0, self.calls - spent.calls),
            tokens=None if self.tokens is None else max(0, self.tokens - spent.tokens),
            dollars=None
            if self.dollars is None
            else (0.0 if spent.dollars is None else max(0.0, self.dollars - spent.dollars)),
            of=self,
        )

    def is_spent(self, spent: Spent) -> bool:
        """True if too little is left for one more search."""
        return self.seconds - spent.seconds < MIN_SECONDS or self.candidates <= spent.candidates

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise ValueError(f"a budget needs at least 1 candidate, not {self.candidates}")
        if not self.seconds > 0:
            raise ValueError(f"a budget needs more than 0 seconds, not {self.seconds}")
        for name in ("calls", "tokens", "dollars"):
            if (amount := getattr(self, name)) is not None and not amount >= 0:
                raise ValueError(f"a budget cannot have less than 0 {name}, and this has {amount}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The spending of a search so far, in the units of its Budget.

    `tokens` are estimated if a server does not count them, and `cached_tokens` are those of them that providers read
    from their caches. `dollars` is None as soon as the price of one call is
    unknown.
    """

    candidates: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0
    cached_tokens: int = 0

    def __add__(self, other: Spent) -> Spent:
        """Return what both searches have spent together."""
        known = self.dollars is not None and other.dollars is not None
        return Spent(
            candidates=self.candidates + other.candidates,
            seconds=round(self.seconds + other.seconds, 3),
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            dollars=round((self.dollars or 0.0) + (other.dollars or 0.0), 6) if known else None,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )


NOTHING_SPENT = Spent()
"""Before anything was spent."""
