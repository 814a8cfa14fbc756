"""Auto: go on with a branch of attempts while it improves, and begin a new one when it does not."""

from __future__ import annotations

from certo.concurrency import run_workers
from certo.generation.generator import Ask
from certo.search.branches import branches_of
from certo.search.experiment import SearchNode, tried_above
from certo.search.strategy import Bench
from certo.strategies.estimate import StrategyEstimate
from certo.strategies.retry import MAX_LINES
from certo.strategies.stagnation import StagnationMonitor
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

MAX_ANSWERS = 3
"""The most answers that are asked for from the first one that passes on: two that agree decide, and the third a tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoOptions:
    """The number of lanes that run in parallel."""

    num_candidates: int = option(
        1,
        "Lanes that run in parallel. One needs the fewest model calls; more finish sooner.",
        at_least=1,
        at_most=MAX_LINES,
    )

    def __post_init__(self) -> None:
        check_bounds(self, "auto")


def estimate(options: AutoOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=candidates, branches=options.num_candidates, confirms=True)


class Auto:
    """Decides by the scores along each branch whether feedback helps there.

    If feedback helps, scores rise from attempt to attempt, and there is one branch as in `retry`. Once they rise no
    more, the branch is spent, and the next attempt is a new beginning, which is told of none before it. It works with
    any generator: if feedback does not matter, one beginning is as good as another.

    If few tests depend on the target, the first answer that passes is not taken at its word: new beginnings are made
    until two behave alike, or `MAX_ANSWERS` were given.
    """

    name = "auto"

    def __init__(self, options: AutoOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make attempts until one is enough, or nothing is left to try."""
        stagnation, begun = StagnationMonitor(bench), 0
        opinions = _Opinions()

        async def take() -> tuple[SearchNode, int] | None:
            nonlocal begun
            if stagnation.is_hopeless or not opinions.has_room:
                return None
            node = bench.tree.root if opinions.begun else _promising(bench)
            opinions.under_way += 1
            attempt = node.data.attempt
            if attempt is not None:
                return node, attempt.candidate.origin.slot
            begun += 1
            return node, begun - 1

        async def work(_: int, taken: tuple[SearchNode, int]) -> bool:
            node, slot = taken
            past = tried_above(node)
            made = await bench.attempt(Ask(slot=slot, attempt=len(past), past=past))
            stagnation.hear(made)
            opinions.hear(is_enough=made is not None and bench.enough(made))
            if made is None or not bench.enough(made):
                return opinions.are_all_in or (opinions.begun and made is None)
            return not await bench.is_doubtful(made) or opinions.are_all_in

        await run_workers(self._options.num_candidates, take, work)


@dataclass(slots=True)
class _Opinions:
    """Counts the answers from the first one that passed on, and the attempts that are `under_way`."""

    begun: bool = False
    under_way: int = 0
    _given: int = 0

    def hear(self, *, is_enough: bool) -> None:
        """Take note of the end of an attempt."""
        self.under_way -= 1
        self.begun = self.begun or is_enough
        self._given += self.begun

    @property
    def has_room(self) -> bool:
        """True if another attempt may be made."""
        return not self.begun or self._given + self.under_way < MAX_ANSWERS

    @property
    def are_all_in(self) -> bool:
        """True if an answer passed and no other may follow it."""
        return self.begun and self._given >= MAX_ANSWERS


def _promising(bench: Bench) -> SearchNode:
    """Return the end of the newest branch that is neither spent nor being extended, or else the root."""
    for branch in reversed(branches_of(bench.tree)):
        if not branch.spent and not branch.last.success and branch.beginning.under_way == 0:
            return branch.last
    return bench.tree.root
