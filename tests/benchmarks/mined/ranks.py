"""Ranks of the right edits among all that are proposed, by one set of priors or another."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence

from mined.proposals import Offer, Proposed

Score = Callable[[Offer], float]
WITHIN = (10, 100, 500)
SAME = 1e-9


def by_priors(prior: Callable[[int, str], float]) -> Score:
    """Return the score of an edit by the priors of templates at places."""
    return lambda offer: offer.natural * max(prior(number, place) * share for number, place, share in offer.ways)


def rank_of(proposed: Proposed, score: Score) -> float:
    """Return the rank of the likeliest right edit; as for ties, half of the others come first."""
    right = set(proposed.right)
    mine = max(score(proposed.offers[number]) for number in right)
    above = ties = 0
    for number, offer in enumerate(proposed.offers):
        if number not in right:
            other = score(offer)
            above += other > mine * (1 + SAME)
            ties += mine * (1 - SAME) <= other <= mine * (1 + SAME)
    return 1 + above + ties / 2


def summary(ranks: Sequence[float]) -> str:
    """Return the figures of a column: median rank, geometric mean, mean reciprocal rank, shares among the first."""
    mean = math.exp(statistics.fmean(map(math.log, ranks)))
    reciprocal = statistics.fmean(1 / rank for rank in ranks)
    shares = "  ".join(f"{sum(rank <= most for rank in ranks) / len(ranks):5.0%}" for most in WITHIN)
    return f"{statistics.median(ranks):6.0f} {mean:6.0f} {reciprocal:6.3f}  {shares}"
