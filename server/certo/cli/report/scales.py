"""Where a number stands in a drawing, and which round numbers to write at an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Numbers from `low` to `high`, drawn from the place `start` to the place `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a number is drawn."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def ticks(low: float, high: float, count: int = 5) -> tuple[float, ...]:
    """Round numbers from one at or below `low` to one at or above `high`, about so many; they are never equal.

    Raises:
        ValueError: one of them is not finite.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"an axis goes from one finite number to another, not from {low} to {high}")
    width = (high - low) / count
    if not width > abs(high) * 1e-9:
        width = max(abs(high), 1.0) / count
    power = 10.0 ** math.floor(math.log10(width))
    step = power * next(each for each in _ROUND if each * power >= width * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(number * step for number in range(first, max(last, first + 1) + 1))
