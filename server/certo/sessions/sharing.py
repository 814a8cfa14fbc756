"""How the searches for several suspects share one budget: the likeliest gets the most, and each of them something."""

from __future__ import annotations

from dataclasses import replace

from certo.vocabulary.cost import NOTHING_SPENT, Budget, Spent

LEAST_SECONDS = 2.0
"""With less time left no search is begun: it would end before its tests have run."""


def share(whole: Budget, spent: Spent, others: int) -> Budget:
    """What a search may spend of a budget, of which earlier ones have `spent` so much, and `others` are to come.

    The seconds that are left are shared as 3 : 2 : 1 among three, and likewise among others; what one does not need is
    left to those behind it. All else is there for whoever comes first. Dollars that nobody can count are all spent.
    """
    if not others and spent == NOTHING_SPENT:
        return whole
    seconds = max(LEAST_SECONDS, (whole.seconds - spent.seconds) * 2 / (others + 2))
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
    return whole.seconds - spent.seconds < LEAST_SECONDS or whole.candidates <= spent.candidates


def together(one: Spent, other: Spent) -> Spent:
    """What two searches have spent."""
    known = one.dollars is not None and other.dollars is not None
    return Spent(
        candidates=one.candidates + other.candidates,
        seconds=round(one.seconds + other.seconds, 3),
        calls=one.calls + other.calls,
        tokens=one.tokens + other.tokens,
        dollars=round((one.dollars or 0.0) + (other.dollars or 0.0), 6) if known else None,
    )
