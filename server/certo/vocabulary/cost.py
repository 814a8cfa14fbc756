"""What may be spent, what was spent, and what a candidate costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

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
        """Whether it could be found."""
        return self.value < UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one search may spend: candidates judged, wall-clock seconds, and what language models take of it.

    `calls`, `tokens` (read and written together) and `dollars` are None where they are not limited.
    Where it is a part of what its user has set, `of` is the whole.
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
    """What a search has spent so far, in the units of its Budget.

    `tokens` are estimated where a server does not count them. `dollars` are None as soon as one call was made whose
    price is not known.
    """

    candidates: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0


NOTHING_SPENT = Spent()
"""Before anything was spent."""


MIN_SECONDS = 2.0
"""With less time left no search is begun: it would end before its tests have run."""


def budget_shares(whole: Budget, spent: Spent, others: int) -> Budget:
    """What a search may spend of a budget, of which earlier ones have `spent` so much, and `others` are to come.

    The seconds that are left are shared as 3 : 2 : 1 among three, and likewise among others; what one does not need is
    left to those behind it. All else is there for whoever comes first. Dollars that nobody can count are all spent.
    """
    if not others and spent == NOTHING_SPENT:
        return whole
    seconds = max(MIN_SECONDS, (whole.seconds - spent.seconds) * 2 / (others + 2))
    return replace(
        whole,
        seconds=min(whole.seconds, seconds),
        candidates=max(1, whole.candidates - spent.candidates),
        calls=None if whole.calls is None else max(0, whole.calls - spent.calls),
        tokens=None if whole.tokens is None else max(0, whole.tokens - spent.tokens),
        dollars=None
        if whole.dollars is None
        else (0.0 if spent.dollars is None else max(0.0, whole.dollars - spent.dollars)),
        of=whole,
    )


def is_spent(whole: Budget, spent: Spent) -> bool:
    """Whether too little of a budget is left for one more search."""
    return whole.seconds - spent.seconds < MIN_SECONDS or whole.candidates <= spent.candidates


def total_spent(one: Spent, other: Spent) -> Spent:
    """What two searches have spent."""
    known = one.dollars is not None and other.dollars is not None
    return Spent(
        candidates=one.candidates + other.candidates,
        seconds=round(one.seconds + other.seconds, 3),
        calls=one.calls + other.calls,
        tokens=one.tokens + other.tokens,
        dollars=round((one.dollars or 0.0) + (other.dollars or 0.0), 6) if known else None,
    )
