"""LLM tree search: a tree of ideas that a language model expands and prunes, tried where it is most promising."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import anyio

from certo.concurrency import run_workers, side_by_side
from certo.generation.adviser import IdeaRequest, SelectionRequest
from certo.llm.options import SCRIPT_RESERVED, is_no_script
from certo.search.advice import sketched
from certo.search.branches import branches_of
from certo.search.experiment import SearchNode, tried_above
from certo.search.strategy import Bench
from certo.search.tree import before
from certo.strategies.estimate import ASKED, StrategyEstimate
from certo.strategies.kapso import LLM_TREE_SEARCH, ExperimentStrategy
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

PRUNING_BEGINS = 20.0
"""The percentage of the budget from which on ideas are dropped without an attempt."""

TO_TRY = "Best expected score, speed, and diversity."
TO_EXPLORE = "Expected score, and potential for further improvements."
TO_DROP = "Least likely to lead anywhere."


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmTreeSearchOptions:
    """The size of the tree, the number of parallel experiments, and the end of exploration.

    A preset gives values to the options that are not set; the loader of settings applies `presets`.
    """

    presets: ClassVar[Mapping[str, Mapping[str, object]]] = LLM_TREE_SEARCH

    preset: Literal["DEFAULT", "MINIMAL", "PRODUCTION", "HEAVY_EXPERIMENTATION", "HEAVY_THINKING"] = option(
        "DEFAULT",
        "Defaults for the settings of this group: `MINIMAL` makes few candidates, `PRODUCTION` refines many ideas, "
        "`HEAVY_EXPERIMENTATION` runs many experiments in parallel, `HEAVY_THINKING` thinks about many ideas. Your "
        "own values win.",
    )
    reasoning_effort: str = option("medium", "The effort the model spends on ideas, in its provider's words.")
    code_debug_tries: int = option(5, "How often code that could not be run at all is repaired.", at_least=0)
    node_expansion_limit: int = option(
        2,
        "Ideas that get new ideas below them in each step. The search begins with four times as many ideas.",
        at_least=1,
    )
    node_expansion_new_childs_count: int = option(5, "New ideas below each of them.", at_least=1)
    idea_generation_steps: int = option(
        1, "Rounds in which ideas are made. Each round refines the ideas of the round before.", at_least=1
    )
    first_experiment_factor: int = option(
        1, "Multiplies the new ideas and the experiments of the first step.", at_least=1
    )
    experimentation_per_run: int = option(1, "Experiments that run in parallel.", at_least=1)
    per_step_maximum_solution_count: int = option(10, "The most ideas that one call may return.", at_least=1)
    exploration_budget_percent: float = option(
        30.0,
        "The percentage of the budget after which the search only develops the best ideas so far.",
        at_least=0,
        at_most=100,
    )
    idea_generation_model: str = option(
        "",
        "The language model that chooses among ideas. Empty: the model that writes candidates.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )
    idea_generation_ensemble_models: tuple[str, ...] = option(
        (),
        "The language models that suggest ideas; all are asked each time. Empty: the model that writes candidates.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )

    def __post_init__(self) -> None:
        check_bounds(self, "llm_tree_search")


CHOICES = 3
"""The questions for a choice in each step: which ideas to drop, where to have new ones, and which to try."""


def estimate(options: LlmTreeSearchOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make: each candidate takes a step of its own."""
    limit, at_once = options.node_expansion_limit, options.per_step_maximum_solution_count
    ideas = max(1, len(options.idea_generation_ensemble_models)) * options.idea_generation_steps
    first = math.ceil(4 * limit / at_once) * ideas
    step = limit * math.ceil(options.node_expansion_new_childs_count / at_once) * ideas + CHOICES
    # The first step is multiplied by `first_experiment_factor`, and has been counted once.
    more = (options.first_experiment_factor - 1) * limit * options.node_expansion_new_childs_count * ideas
    return StrategyEstimate(
        attempts=candidates,
        branches=options.experimentation_per_run,
        first_idea_request=IdeaRequest(
            count=min(4 * limit, at_once),
            steps=options.idea_generation_steps,
            models=options.idea_generation_ensemble_models,
            effort=options.reasoning_effort,
        ),
        max_idea_requests=ASKED * (first + more + step * candidates),
    )


class LlmTreeSearch:
    """Kapso's tree search, without its barriers: the next experiment begins when a worker is free.

    A step prunes, expands and selects; other workers go on with their experiments meanwhile. The language model's
    answers are held to the bounds of the options. With a generator that has no ideas, each node is its next candidate
    from there, and choices go by score.
    """

    name = "llm_tree_search"

    def __init__(self, options: LlmTreeSearchOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Take steps and make experiments until one is enough, or nothing is left to try."""
        bench.advice.need("llm_tree_search follows ideas")
        growing = _Growing(bench, self._options)

        async def work(hand: int, node: SearchNode) -> bool:
            return await growing.experimenting.experiment(node, slot=hand)

        await run_workers(self._options.experimentation_per_run, growing.next, work)


class _Growing:
    """The tree of one search while it grows, and the queue of nodes to try."""

    def __init__(self, bench: Bench, options: LlmTreeSearchOptions) -> None:
        self._bench = bench
        self._options = options
        self._selected: deque[SearchNode] = deque()
        self._taken: set[int] = set()
        self._planning = anyio.Lock()
        self._first = True
        self.experimenting = ExperimentStrategy(bench, options.code_debug_tries)

    async def next(self) -> SearchNode | None:
        """Return the node to try next; None if there is nothing left to try.

        One free worker takes the step for all that are free; those that have a node to try are not held up by it.
        """
        async with self._planning:
            if not self._selected and not self.experimenting.stagnation.is_hopeless:
                await self._step()
            if not self._selected:
                return None
            node = self._selected.popleft()
            self._taken.add(node.id)
            return node

    async def _step(self) -> None:
        """Prune, expand and select: Kapso's iteration without running the selected experiments."""
        factor = self._options.first_experiment_factor if self._first else 1
        if self._bench.progress >= PRUNING_BEGINS:
            await self._prune()
        await self._expand(factor)
        self._first = False
        untried = [node for node in self._hopeful() if not self._is_root(node) and not self._is_taken(node)]
        wished = self._options.experimentation_per_run * factor
        self._selected.extend(await self._bench.advice.choose(untried, self._choice(wished, TO_TRY)))

    async def _prune(self) -> None:
        """Drop from a twentieth to a fifth of the ideas that were not tried, those of spent branches first."""
        hopeful = {node.id for node in self._hopeful()}
        untried = [node for node in self._leaves() if not self._is_taken(node)]
        untried = [node for node in untried if node.id not in hopeful] or untried
        if len(untried) <= 1:
            return
        choice = self._choice(len(untried) // 5, TO_DROP, least=len(untried) // 20)
        for node in await self._bench.advice.drop(untried, choice):
            self._bench.drop(node, "less promising than others")

    async def _expand(self, factor: int) -> None:
        """Add new ideas below the most promising nodes, at several of them at once."""
        limit = self._options.node_expansion_limit
        if self._first:
            await self._ideas(self._bench.tree.root, 4 * limit)
            chosen: Sequence[SearchNode] = self._bench.tree.root.children[:limit]
        else:
            # Kapso's budget shares: first it explores, choosing by expected score, and from
            # `exploration_budget_percent` on it exploits, expanding nothing but the best experiments so far.
            exploits = self._bench.progress >= self._options.exploration_budget_percent
            chosen = self._best(limit) if exploits else ()
            if not chosen:
                open_ended = [node for node in self._hopeful() if self._is_open(node)]
                if not open_ended:
                    await self._ideas(self._bench.tree.root, limit)
                    open_ended = self._bench.tree.root.children[-limit:]
                chosen = await self._bench.advice.choose(open_ended, self._choice(limit, TO_EXPLORE))
        async with side_by_side() as group:
            for node in chosen[:limit]:
                group.start_soon(self._ideas, node, self._options.node_expansion_new_childs_count * factor)

    async def _ideas(self, parent: SearchNode, count: int) -> None:
        """Add new ideas below a node, without those that it has already.

        If the generator has no ideas, nodes without words are all alike, so those that wait to be tried count too.
        """
        options = self._options
        if not self._bench.advice.has_ideas:
            count -= sum(not self._is_taken(child) for child in parent.children)
        had: list[str] = []
        while len(had) < count:
            wanted = IdeaRequest(
                count=min(count - len(had), options.per_step_maximum_solution_count),
                past=tried_above(parent),
                idea=parent.data.idea,
                known=tuple(map(sketched, parent.children)),
                errors=self.experimenting.errors,
                steps=options.idea_generation_steps,
                models=options.idea_generation_ensemble_models,
                effort=options.reasoning_effort,
                progress=self._bench.progress,
            )
            new = [idea for idea in await self._bench.advice.ideas(wanted) if not idea or idea not in had]
            if not new:
                return
            had.extend(new)
            for idea in new:
                self._bench.add_idea(parent, idea)

    def _best(self, limit: int) -> tuple[SearchNode, ...]:
        """Return the best experiments of branches that are not spent, of equal ones the first, without dropped ones."""
        kept = [node for line in branches_of(self._bench.tree) if not line.spent for node in line.nodes]
        sound = [node for node in kept if not node.data.ended]
        return tuple(sorted(sound, key=lambda node: -node.data.merit)[:limit])

    def _leaves(self) -> list[SearchNode]:
        """Return the leaves that were not dropped, without the root."""
        return [node for node in self._bench.tree.leaves() if node.parent is not None and not node.data.ended]

    def _hopeful(self) -> list[SearchNode]:
        """Return the leaves that are not below the beginning of a spent branch."""
        spent = [line.beginning for line in branches_of(self._bench.tree) if line.spent]
        below_spent = {node.id for beginning in spent for node in before(beginning)}
        return [leaf for leaf in self._leaves() if leaf.id not in below_spent]

    def _is_root(self, node: SearchNode) -> bool:
        """Return True if a node is one of the first ideas, which are expanded and never tried themselves."""
        return node.parent is self._bench.tree.root

    def _is_taken(self, node: SearchNode) -> bool:
        """Return True if a node was tried, is being tried, or is queued."""
        return node.id in self._taken or node.data.attempt is not None or node in self._selected

    def _is_open(self, node: SearchNode) -> bool:
        """Return True if ideas may be added below a node now: no attempt at it is under way or queued."""
        return node.data.attempt is not None or not self._is_taken(node)

    def _choice(self, count: int, criteria: str, *, least: int | None = None) -> SelectionRequest:
        return SelectionRequest(
            least=count if least is None else least,
            most=count,
            criteria=criteria,
            model=self._options.idea_generation_model,
            effort=self._options.reasoning_effort,
            progress=self._bench.progress,
        )
