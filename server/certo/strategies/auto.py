"""Auto: go on with a line of tries as long as that brings it further, and begin anew when it doesn't."""

from __future__ import annotations

from dataclasses import dataclass

from certo.concurrency import run_workers
from certo.generation.generator import Ask
from certo.search.branches import lines_of
from certo.search.experiment import SearchNode, tried_above
from certo.search.strategy import Bench
from certo.strategies.retry import MAX_LINES
from certo.strategies.stagnation import StagnationMonitor
from certo.vocabulary.options import check_bounds, option


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


class Auto:
    """Decides by the scores along each line whether feedback helps there.

    Where feedback helps, scores rise from try to try, and it makes one line as `retry` does; where they rise no more,
    the line is spent, and the next try is a new beginning, which hears of none before it. It needs nothing of its
    generator: where candidates owe nothing to feedback, one beginning is as good as another.
    """

    name = "auto"

    def __init__(self, options: AutoOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make tries until one is all that was wanted, or nothing is left."""
        news, begun = StagnationMonitor(bench), 0

        async def take() -> tuple[SearchNode, int] | None:
            nonlocal begun
            if news.hopeless:
                return None
            node = _promising(bench)
            attempt = node.data.attempt
            if attempt is not None:
                return node, attempt.candidate.origin.slot
            begun += 1
            return node, begun - 1

        async def work(_: int, taken: tuple[SearchNode, int]) -> bool:
            node, slot = taken
            past = tried_above(node)
            made = await bench.attempt(Ask(slot=slot, attempt=len(past), past=past))
            news.hear(made)
            return made is not None and bench.enough(made)

        await run_workers(self._options.num_candidates, take, work)


def _promising(bench: Bench) -> SearchNode:
    """From which node to go on: the end of the newest line that is not spent and nobody is at, or the root."""
    for line in reversed(lines_of(bench.tree)):
        if not line.spent and not line.last.success and line.beginning.under_way == 0:
            return line.last
    return bench.tree.root
