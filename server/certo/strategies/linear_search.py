"""Linear search: one idea after the other, each from the best experiment so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from certo.generation.adviser import IdeaRequest
from certo.llm.options import SCRIPT_RESERVED, is_no_script
from certo.search.advice import sketched
from certo.search.experiment import SearchNode, tried_above
from certo.search.strategy import Bench
from certo.strategies.estimate import ASKED, StrategyEstimate
from certo.strategies.kapso import LINEAR_SEARCH, ExperimentStrategy
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass

REMEMBERED = 3
"""The number of the last experiments that a request for an idea lists, besides the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearSearchOptions:
    """The repairs of an experiment, the model that has ideas, and the start of each experiment.

    A preset gives values to the options that are not set; the loader of settings applies `presets`.
    """

    presets: ClassVar[Mapping[str, Mapping[str, object]]] = LINEAR_SEARCH

    preset: Literal["DEFAULT", "MINIMAL", "PRODUCTION"] = option(
        "DEFAULT",
        "Defaults for the settings of this group: `MINIMAL` sets `code_debug_tries` to 2, `PRODUCTION` to 5. Your own "
        "values win.",
    )
    code_debug_tries: int = option(3, "How often code that could not be run at all is repaired.", at_least=0)
    idea_generation_model: str = option(
        "",
        "The language model that suggests the next idea. Empty: the model that writes candidates.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )
    parent_policy: Literal["best", "baseline"] = option(
        "best", "`best` starts each experiment from the best one so far, `baseline` from the original text."
    )

    def __post_init__(self) -> None:
        check_bounds(self, "linear_search")


def estimate(options: LinearSearchOptions, candidates: int) -> StrategyEstimate:
    """Return the most work that one search can make: each candidate follows one idea."""
    return StrategyEstimate(
        attempts=candidates,
        first_idea_request=IdeaRequest(count=1, models=_idea_models(options)),
        max_idea_requests=ASKED * candidates,
    )


def _idea_models(options: LinearSearchOptions) -> tuple[str, ...]:
    return (options.idea_generation_model,) if options.idea_generation_model else ()


class LinearSearch:
    """Kapso's linear search: one experiment in each iteration, from an idea that knows the best one and the last three.

    With a generator that has no ideas each experiment is its next candidate.
    """

    name = "linear_search"

    def __init__(self, options: LinearSearchOptions) -> None:
        self._options = options

    async def pursue(self, bench: Bench, /) -> None:
        """Make one experiment after the other until one is enough, or nothing is left to try."""
        bench.advice.need("linear_search follows ideas")
        experimenting = ExperimentStrategy(bench, self._options.code_debug_tries)
        while not experimenting.stagnation.is_hopeless:
            parent = self._parent(bench)
            idea = await self._idea(bench, parent, experimenting.errors)
            if await experimenting.experiment(bench.add_idea(parent, idea), slot=0):
                return

    async def _idea(self, bench: Bench, parent: SearchNode, errors: tuple[str, ...]) -> str:
        """Return the next idea; empty to leave it to the generator."""
        best = best_of(bench)
        recent = tried(bench)[-REMEMBERED:]
        known = recent if best is None or best in recent else (*recent, best)
        wanted = IdeaRequest(
            count=1,
            past=tried_above(parent),
            idea=parent.data.idea,
            known=tuple(map(sketched, known)),
            errors=errors,
            models=_idea_models(self._options),
            progress=bench.progress,
        )
        return next(iter(await bench.advice.ideas(wanted)), "")

    def _parent(self, bench: Bench) -> SearchNode:
        best = best_of(bench) if self._options.parent_policy == "best" else None
        return best or bench.tree.root


def tried(bench: Bench) -> tuple[SearchNode, ...]:
    """Return the nodes that were tried, in the order they were added."""
    return tuple(node for node in bench.tree if node.data.attempt is not None)


def best_of(bench: Bench) -> SearchNode | None:
    """Return the best experiment whose code could be tried, of equal ones the first; None if there is none."""
    sound = [node for node in tried(bench) if not node.data.had_error and not node.data.ended]
    return max(sound, key=lambda node: node.data.merit, default=None)
