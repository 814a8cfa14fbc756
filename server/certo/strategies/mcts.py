"""Monte Carlo tree search over attempts: the next one goes on from the most promising, with all feedback on its way."""

from __future__ import annotations

import math
import random
from typing import Literal

import anyio

from certo.concurrency import run_workers
from certo.generation.generator import Ask
from certo.search.experiment import SearchNode, tried_above
from certo.search.node_selection import UCT, Ordering, Scoring, ThompsonSampling, select_best
from certo.search.strategy import Bench
from certo.strategies.estimate import StrategyEstimate
from certo.strategies.stagnation import StagnationMonitor
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass


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

    @property
    def max_attempts(self) -> int:
        """The most attempts that one search makes."""
        return min(self.max_calls, self.n_samples * (1 + self.max_retries))


def estimate(options: MctsOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=min(candidates, options.max_attempts), branches=options.n_samples)


class Mcts:
    """AgentTools' airetry over candidates, with its scorings, and with several attempts under way at once.

    Feedback stays on its branch: an attempt is told of the attempts it goes on from, and of no other. If the root may
    have another child, there is a new beginning; otherwise the branch that scores best is extended, at its node that
    scores best among those that may have another child. Attempts under way count as lost until they have ended, so that
    parallel ones spread.
    """

    name = "mcts"

    def __init__(self, options: MctsOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make attempts until one is enough, or nothing is left to try."""
        options = self._options
        scoring = _scoring(options, bench.chance)
        stagnation, begun = StagnationMonitor(bench), 0

        async def take() -> tuple[SearchNode, int] | None:
            nonlocal begun
            if begun >= options.max_attempts or stagnation.is_hopeless:
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
            stagnation.hear(made)
            return made is not None and bench.enough(made)

        await run_workers(options.n_samples, take, work)

    def _chosen(self, bench: Bench, scoring: Scoring) -> SearchNode:
        """Return the node to go on from: the root if it has room for one more, or the best branch's best node."""
        root = bench.tree.root
        branches = [child for child in root.children if not child.success]
        if self._may_grow(root) or not branches:
            return root
        # The branch is chosen first, as a whole: of all nodes in the tree the end of a branch nearly always scores
        # best, so a branch on which feedback misleads would never be left.
        branch = max(branches, key=scoring)
        return select_best(branch, scoring, ordering=self._options.ordering, among=self._may_grow)

    def _may_grow(self, node: SearchNode) -> bool:
        """Return True if a node may have another child yet: progressive widening (Couëtoux and others 2011).

        Attempts under way at the node count as children, and so do those that repeated an answer: a model that keeps
        giving the same answer there has no other child to offer.
        """
        if node.success or node.data.ended:
            return False
        # The number of possible answers is unbounded, so UCT alone would visit each node once and never go deeper. The
        # room for children grows more slowly than the visits: some go to new children, most to deepening old ones.
        visits = node.visits + node.under_way
        room = self._options.widening * math.pow(max(1, visits), self._options.widening_exponent)
        begun = node.under_way - sum(child.under_way for child in node.children)
        return len(node.children) + node.repeats + begun < math.ceil(room)


def _scoring(options: MctsOptions, chance: random.Random) -> Scoring:
    if options.scoring == "UCT":
        return UCT(exploration=options.exploration)
    return ThompsonSampling(alpha=options.alpha, beta=options.beta, chance=chance)
