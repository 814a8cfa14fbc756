"""Best of n: independent attempts at once, and the cheapest that passes."""

from __future__ import annotations

from dataclasses import dataclass

from certo.concurrency import side_by_side
from certo.generation.generator import Ask
from certo.search.strategy import Bench
from certo.strategies.estimate import StrategyEstimate
from certo.strategies.retry import MAX_LINES


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfOptions:
    """The number of candidates that are asked for at once."""

    num_candidates: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.num_candidates <= MAX_LINES:
            raise ValueError(f"best_of.num_candidates must be from 1 to {MAX_LINES:,}, not {self.num_candidates}")


def estimate(options: BestOfOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=min(candidates, options.num_candidates), branches=options.num_candidates)


class BestOf:
    """A1's compile with several candidates and no retries: none is cancelled, all are compared.

    It works with any generator. With one that learns from failures `retry` does better. With one that does not, or if
    the cheapest candidate is wanted and not the first, this does better.
    """

    name = "best_of"

    def __init__(self, options: BestOfOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make all attempts at once; the bench keeps the best."""
        async with side_by_side() as tries:
            for slot in range(self._options.num_candidates):
                tries.start_soon(self._try, bench, slot)

    async def _try(self, bench: Bench, slot: int) -> None:
        await bench.attempt(Ask(slot=slot))
