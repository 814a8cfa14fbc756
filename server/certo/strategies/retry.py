"""Retry: one attempt, then parallel branches that learn from their own failures; the first success or the cheapest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import anyio

from certo.concurrency import side_by_side
from certo.generation.generator import Ask, Attempt
from certo.strategies.estimate import StrategyEstimate
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.search.strategy import Bench

MAX_LINES = 1000
"""The most branches of a search: all are started at once, whatever the budget covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryOptions:
    """The number of lanes, the length of each, and when a candidate is good enough."""

    num_candidates: int = option(3, "Lanes that run in parallel.", at_least=1, at_most=MAX_LINES)
    max_iterations: int = option(
        3, "Candidates in each lane. Each is informed by the failures before it in its own lane.", at_least=1
    )
    first_try: bool = option(
        True, "Make one candidate alone before the lanes start. It counts as the first candidate of each lane."
    )
    select: Literal["first", "cheapest"] = option(
        "first", "`first` stops at the first candidate that passes; `cheapest` compares those of all lanes by cost."
    )
    accept_cost_threshold: float | None = option(
        None, "For `cheapest`: a candidate that costs this or less wins at once. Not set: none does."
    )
    compare_cost_threshold: float | None = option(
        None, "For `cheapest`: a candidate that costs this or less is good. Not set: none is."
    )
    min_candidates_for_comparison: int = option(
        1,
        "For `cheapest`: with this many good candidates the best of them wins, and the rest is cancelled.",
        at_least=1,
    )

    def __post_init__(self) -> None:
        check_bounds(self, "retry")


def estimate(options: RetryOptions, candidates: int) -> StrategyEstimate:  # noqa: ARG001 - its own numbers are the limit
    """Return the most work that one search can make."""
    shared = 1 if options.first_try else 0
    return StrategyEstimate(
        attempts=shared + options.num_candidates * (options.max_iterations - shared),
        branches=options.num_candidates,
        first_alone=options.first_try,
    )


class Retry:
    """The retry strategy of A1, with thresholds that work and losers that are really cancelled.

    The first attempt is made alone; only if it fails do the parallel branches start. Each goes on from that failure
    with its own history, so with the defaults a search makes at most 1 + 3 * (3 - 1) = 7 attempts. As soon as the
    candidates that passed are enough, every branch still running is cancelled, together with the calls it waits for.
    """

    name = "retry"

    def __init__(self, options: RetryOptions) -> None:
        self._options = options
        self._valid: dict[str, float] = {}

    @property
    def compares(self) -> bool:
        """True if the cheapest candidate of all lanes is wanted."""
        return self._options.select == "cheapest"

    async def pursue(self, bench: Bench, /) -> None:
        """Make attempts until one is good enough, or every branch has ended."""
        past: tuple[Attempt, ...] = ()
        first_line = 0
        if self._options.first_try:
            first = await bench.attempt(Ask())
            if bench.exhausted or (first is not None and self._enough(bench, first)):
                return
            if first is None:
                # This branch has ended, but another one may ask another model, or have better luck.
                first_line = 1
            elif not first.report.passed:
                past = (first,)
        async with side_by_side() as lines:
            for slot in range(first_line, self._options.num_candidates):
                lines.start_soon(self._line, bench, slot, past, lines.cancel_scope)

    async def _line(self, bench: Bench, slot: int, past: tuple[Attempt, ...], lines: anyio.CancelScope) -> None:
        """Extend one branch until a candidate passes, the generator declines, or its iterations are used up."""
        while len(past) < self._options.max_iterations:
            attempt = await bench.attempt(Ask(slot=slot, attempt=len(past), past=past))
            if attempt is None:
                return
            if self._enough(bench, attempt):
                lines.cancel()
                return
            if attempt.report.passed:
                return
            past = (*past, attempt)

    def _enough(self, bench: Bench, attempt: Attempt) -> bool:
        """Return True if this attempt, with those that passed before, is enough to stop."""
        cost = bench.cost_of(attempt)
        if cost is None:
            return False
        if self._options.select == "first":
            return True
        self._valid[attempt.candidate.id] = cost.value
        accept, compare = self._options.accept_cost_threshold, self._options.compare_cost_threshold
        if accept is not None and cost.value <= accept:
            return True
        if compare is None:
            return False
        good = sum(value <= compare for value in self._valid.values())
        return good >= self._options.min_candidates_for_comparison
