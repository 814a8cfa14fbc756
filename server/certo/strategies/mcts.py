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
from certo.strategies.estimate import StrategyEstimate
from certo.strategies.stagnation import StagnationMonitor


@dataclass(frozen=True, slots=True, kw_only=True)
class MctsOptions:
    """How the next try is chosen, how many are under way at once, and how many there may be.

    The first `n_samples` tries are made at once, and so many are always under way. After them come at most
    `max_retries` times as many, `max_calls` in all; `retry_delay` is waited for before each, in seconds. `scoring` and
    `ordering` choose where to go on: `exploration` is the weight of what was seldom tried in UCT, `alpha` and `beta`
    the prior of Thompson sampling. A node may have `widening * visits ** widening_exponent` children (progressive
    widening), so that neither one node gets them all nor each only one. With `feedback_inplace` the generator hears all
    that was said on the way at once, in place of a conversation.
    """

    n_samples: int = 1
    max_retries: int = 10
    max_calls: int = 99
    retry_delay: float = 0.0
    scoring: Literal["UCT", "ThompsonSampling"] = "UCT"
    exploration: float = math.sqrt(2)
    alpha: float = 1.0
    beta: float = 1.0
    ordering: Ordering = "PostOrderDFS"
    feedback_inplace: bool = False
    widening: float = 1.0
    widening_exponent: float = 0.5

    def __post_init__(self) -> None:
        for name in ("n_samples", "max_calls"):
            if getattr(self, name) < 1:
                raise ValueError(f"mcts.{name} must be at least 1, not {getattr(self, name)}")
        for name in ("max_retries", "retry_delay", "exploration", "widening_exponent"):
            if getattr(self, name) < 0:
                raise ValueError(f"mcts.{name} must be at least 0, not {getattr(self, name)}")
        for name in ("alpha", "beta", "widening"):
            if not getattr(self, name) > 0:
                raise ValueError(f"mcts.{name} must be more than 0, not {getattr(self, name)}")

    @property
    def max_attempts(self) -> int:
        """The most attempts that one search makes."""
        return min(self.max_calls, self.n_samples * (1 + self.max_retries))


def estimate(options: MctsOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make."""
    return StrategyEstimate(attempts=min(candidates, options.max_attempts), branches=options.n_samples)


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
