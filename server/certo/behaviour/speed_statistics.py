"""SpeedDecision from measured rounds: faster, not measurably faster, or too noisy to tell.

A round is the median ratio of one process. The bounds of the median over rounds are order statistics, so nothing is
assumed of the noise but that rounds are independent. The rounds are looked at several times; the error levels of the
looks add up to one percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from statistics import linear_regression, median

from certo.vocabulary.records import dataclass

AT_LEAST = 1.05
"""Smallest factor that is called faster."""

LOOKS: tuple[tuple[int, float], ...] = ((8, 0.004), (20, 0.003), (40, 0.003))
"""Numbers of rounds after which the rounds are looked at, with the error level of each bound at that look."""

TOLERANCE = 0.01
"""Deviation of the control's bounds from 1 that is no bias; far below what `AT_LEAST` leaves as a margin."""

MAX_CONTROL_WIDTH = 1.10
"""Ratio of the control's bounds above which nothing near `AT_LEAST` could be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRatios:
    """The ratios of one process: the original to the candidate, and the original to a copy of itself."""

    candidate: float
    control: float


class SpeedDecision(Enum):
    """The answer of a look."""

    FASTER = "faster"
    NOT_FASTER = "not measurably faster here"
    NOISY = "this machine is too noisy to tell"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A median over rounds, and its lower and upper bound."""

    middle: float
    low: float
    high: float


def bounds(values: Sequence[float], level: float) -> Bounds:
    """Return the median and its bounds, each of which is wrong with at most the probability `level`.

    The bounds are infinite if there are too few values for the level.
    """
    ordered = sorted(values)
    rank = _rank(len(ordered), level)
    if rank == 0:
        return Bounds(middle=median(ordered), low=0.0, high=math.inf)
    return Bounds(middle=median(ordered), low=ordered[rank - 1], high=ordered[-rank])


def _rank(number: int, level: float) -> int:
    """Return the largest k for which the k-th smallest of so many values is above the median at this level."""
    # The k-th smallest is above the median if fewer than k values are below it: a binomial count with p = 1/2.
    below, rank = 0, 0
    for count in range(number):
        below += math.comb(number, count)
        if below / 2**number > level:
            return rank
        rank = count + 1
    return rank


def level_of(number: int) -> float | None:
    """Return the error level of the look after so many rounds; None if there is none then."""
    return dict(LOOKS).get(number)


def decide(rounds: Sequence[RoundRatios], *, at_least: float = AT_LEAST) -> SpeedDecision:
    """Return the answer after these rounds; OPEN between looks, and if a further look may decide."""
    level = level_of(len(rounds))
    if level is None:
        return SpeedDecision.OPEN
    is_last = len(rounds) == LOOKS[-1][0]
    candidate = bounds([one.candidate for one in rounds], level)
    control = bounds([one.control for one in rounds], level)
    is_biased = control.low > 1 + TOLERANCE or control.high < 1 - TOLERANCE
    if not is_biased and candidate.low >= at_least:
        return SpeedDecision.FASTER
    if not is_biased and (candidate.high < at_least or candidate.middle < math.sqrt(at_least)):
        return SpeedDecision.NOT_FASTER
    if not is_last:
        return SpeedDecision.OPEN
    return (
        SpeedDecision.NOISY if is_biased or control.high > MAX_CONTROL_WIDTH * control.low else SpeedDecision.NOT_FASTER
    )


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return k for which the seconds grow like n^k with the sizes n, by least squares; None without two sizes."""
    points = [
        (math.log(size), math.log(took)) for size, took in zip(sizes, seconds, strict=True) if size > 0 and took > 0
    ]
    if len({size for size, _ in points}) < 2:
        return None
    return linear_regression([size for size, _ in points], [took for _, took in points]).slope
