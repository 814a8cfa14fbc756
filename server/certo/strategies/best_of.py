"""Best of n: independent attempts at once, and the cheapest that passes."""

from __future__ import annotations

from certo.concurrency import side_by_side
from certo.generation.generator import Ask
from certo.search.strategy import Bench
from certo.strategies.estimate import StrategyEstimate
from certo.strategies.retry import MAX_LINES
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfOptions:
    """The number of candidates that are requested at the same time."""

    num_candidates: int = option(
        5,
        "Candidates that are requested at the same time. The best one that passes wins.",
        at_least=1,
        at_most=MAX_LINES,
    )

    def __post_init__(self) -> None:
        check_bounds(self, "best_of")


def estimate(options: BestOfOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=min(candidates, options.num_candidates), branches=options.num_candidates)


class BestOf:
    """A1's compile with several candidates and no retries: none is cancelled, all are compared.

    It works with any generator. With one that learns from failures `retry` does better. With one that does not, or if
    the cheapest candidate is wanted and not the first, this does better.
    """

    name = "best_of"
    compares = True

    def __init__(self, options: BestOfOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make all attempts at once; the bench keeps the best."""
        async with side_by_side() as tries:
            for slot in range(self._options.num_candidates):
                tries.start_soon(self._try, bench, slot)

    async def _try(self, bench: Bench, slot: int) -> None:
        await bench.attempt(Ask(slot=slot))
