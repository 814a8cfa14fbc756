"""Tree search over tries and their feedback: from the most promising try so far another one, with all it was told."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Literal

import anyio

from certo.concurrency import run_workers
from certo.generation.generator import Ask
from certo.search.experiment import SearchNode, tried_above
from certo.search.node_selection import UCT, Ordering, Scoring, ThompsonSampling, select_best
from certo.search.strategy import Bench
from certo.strategies.stagnation import StagnationMonitor
from certo.vocabulary.options import check_bounds, option


@dataclass(frozen=True, slots=True, kw_only=True)
class MctsOptions:
    """The choice of the next candidate, how many are under way at once, and how many there may be.

    A node may have `widening * visits ** widening_exponent` children (progressive widening), so that neither one node
    gets them all nor each only one.
    """

    n_samples: int = option(1, "Candidates that are under way at the same time.", at_least=1)
    max_retries: int = option(
        10, "Candidates that may follow the first ones, as a multiple of `mcts.n_samples`.", at_least=0
    )
    max_calls: int = option(99, "The most candidates in all.", at_least=1)
    retry_delay: float = option(0.0, "Seconds to wait before each candidate after the first ones.", at_least=0)
    scoring: Literal["UCT", "ThompsonSampling"] = option("UCT", "The rule that chooses the candidate to continue from.")
    exploration: float = option(
        math.sqrt(2), "For `UCT`: the weight of candidates that the search has seldom continued from.", at_least=0
    )
    alpha: float = option(1.0, "For `ThompsonSampling`: successes that are assumed at the start.", above=0)
    beta: float = option(1.0, "For `ThompsonSampling`: failures that are assumed at the start.", above=0)
    ordering: Ordering = option(
        "PostOrderDFS",
        "Among equally good candidates `PostOrderDFS` takes the end of a branch, `PreOrderDFS` its beginning.",
    )
    feedback_inplace: bool = option(
        False, "Give the model all feedback of a branch in one message instead of a conversation."
    )
    widening: float = option(
        1.0,
        "Progressive widening: the most continuations of a candidate are this number, times its visits to the power of "
        "`mcts.widening_exponent`.",
        above=0,
    )
    widening_exponent: float = option(
        0.5, "The exponent of `mcts.widening`. 0: the limit does not grow with the visits.", at_least=0
    )

    def __post_init__(self) -> None:
        check_bounds(self, "mcts")


class Mcts:
    """AgentTools' airetry over candidates, with its scorings, and with several tries under way at once.

    Feedback stays on its branch: a try hears what was said of the tries it grew from, and of no other. As soon as the
    root may have another child there is a new beginning; otherwise the line that scores best, with all that grew from
    it, is gone on with, at its node that scores best among those that may have another child. Lines are weighed as
    wholes because of all nodes the end of a line scores best nearly always, and a line on which feedback misleads would
    never be left. Tries under way count as lost until they have ended, so that parallel ones spread.
    """

    name = "mcts"

    def __init__(self, options: MctsOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make tries until one is all that was wanted, or nothing is left."""
        options = self._options
        left = min(options.max_calls, options.n_samples * (1 + options.max_retries))
        scoring = _scoring(options, bench.chance)
        news, begun = StagnationMonitor(bench), 0

        async def take() -> tuple[SearchNode, int] | None:
            nonlocal begun
            if begun >= left or news.hopeless:
                return None
            begun += 1
            if begun > options.n_samples and options.retry_delay:
                await anyio.sleep(options.retry_delay)
            return (bench.tree.root if begun <= options.n_samples else self._chosen(bench, scoring)), begun - 1

        async def work(hand: int, taken: tuple[SearchNode, int]) -> bool:
            node, number = taken
            past = tried_above(node)
            in_place = options.feedback_inplace and bool(past)
            made = await bench.attempt(Ask(slot=hand, attempt=number, past=past, in_place=in_place))
            news.hear(made)
            return made is not None and bench.enough(made)

        await run_workers(options.n_samples, take, work)

    def _chosen(self, bench: Bench, scoring: Scoring) -> SearchNode:
        """From which node to go on: a new beginning where there is room for one, or the most promising line's best."""
        root = bench.tree.root
        lines = [line for line in root.children if not line.success]
        if self._may_grow(root) or not lines:
            return root
        line = max(lines, key=scoring)
        return select_best(line, scoring, ordering=self._options.ordering, among=self._may_grow)

    def _may_grow(self, node: SearchNode) -> bool:
        """Whether a node may have another child yet: progressive widening (Couëtoux and others 2011).

        Children that are still to come are among those it has, and so are tries that repeated an answer: a model that
        keeps saying the same there has no other child to give.
        """
        if node.success or node.data.ended:
            return False
        visits = node.visits + node.under_way
        room = self._options.widening * math.pow(max(1, visits), self._options.widening_exponent)
        begun = node.under_way - sum(child.under_way for child in node.children)
        return len(node.children) + node.repeats + begun < math.ceil(room)


def _scoring(options: MctsOptions, chance: random.Random) -> Scoring:
    if options.scoring == "UCT":
        return UCT(exploration=options.exploration)
    return ThompsonSampling(alpha=options.alpha, beta=options.beta, chance=chance)
