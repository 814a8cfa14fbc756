"""Kapso's experiments: an attempt at an idea, then attempts to repair its code; and Kapso's presets."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from certo.generation.generator import Ask
from certo.search.experiment import SearchNode, tried_above
from certo.search.strategy import Bench
from certo.strategies.stagnation import StagnationMonitor

ERRORS_REMEMBERED = 10
"""The number of the last errors that the next candidates are told of."""

ERROR_CHARACTERS = 500
"""The most characters of an error that are remembered."""


class ExperimentStrategy:
    """Makes experiments and remembers their errors.

    An experiment whose code could not even be tried is repaired up to `code_debug_tries` times, each time with the
    errors of the attempt before; the best attempt counts. An experiment that still cannot be tried is dropped for good.
    """

    def __init__(self, bench: Bench, code_debug_tries: int) -> None:
        self._bench = bench
        self._tries = code_debug_tries
        self._errors: deque[str] = deque(maxlen=ERRORS_REMEMBERED)
        self.stagnation = StagnationMonitor(bench)

    @property
    def errors(self) -> tuple[str, ...]:
        """The errors of the last experiments, the oldest first."""
        return tuple(self._errors)

    async def experiment(self, node: SearchNode, slot: int) -> bool:
        """Try the idea of a node and return True if that is enough to end the search."""
        above = past = tried_above(node)
        for attempt in range(1 + self._tries):
            asked = Ask(slot=slot, attempt=attempt, past=past, idea=node.data.idea, errors=self.errors)
            made = await self._bench.attempt(asked, at=node)
            if made is None:
                break
            if self._bench.enough(made):
                return True
            past = (*past, made)
            if not node.data.had_error:
                break
        self.stagnation.hear(*past[len(above) :])
        if node.data.attempt is not None and not node.data.had_error:
            return False
        self._remember(node)
        self._bench.drop(node, "its code could not be tried" if node.data.attempt else "no candidate came of it")
        return False

    def _remember(self, node: SearchNode) -> None:
        error = " ".join(node.data.feedback.split())[:ERROR_CHARACTERS]
        if error and error not in self._errors:
            self._errors.append(error)


OWN_MODEL_THRICE = ("", "", "")
"""An ensemble of the generator's own model, asked three times: Kapso names one of its provider's models three times."""

LINEAR_SEARCH: Mapping[str, Mapping[str, object]] = {
    "DEFAULT": {},
    "MINIMAL": {"code_debug_tries": 2},
    "PRODUCTION": {"code_debug_tries": 5},
}
"""The presets of `linear_search`."""

LLM_TREE_SEARCH: Mapping[str, Mapping[str, object]] = {
    "DEFAULT": {},
    "MINIMAL": {"code_debug_tries": 2, "exploration_budget_percent": 50.0},
    "PRODUCTION": {
        "reasoning_effort": "high",
        "code_debug_tries": 10,
        "idea_generation_steps": 2,
        "idea_generation_ensemble_models": OWN_MODEL_THRICE,
    },
    "HEAVY_EXPERIMENTATION": {
        "reasoning_effort": "high",
        "code_debug_tries": 3,
        "node_expansion_limit": 3,
        "node_expansion_new_childs_count": 15,
        "first_experiment_factor": 2,
        "experimentation_per_run": 7,
        "per_step_maximum_solution_count": 15,
        "exploration_budget_percent": 50.0,
        "idea_generation_ensemble_models": OWN_MODEL_THRICE,
    },
    "HEAVY_THINKING": {
        "reasoning_effort": "high",
        "node_expansion_new_childs_count": 10,
        "exploration_budget_percent": 50.0,
        "idea_generation_ensemble_models": OWN_MODEL_THRICE,
    },
}
"""The presets of `llm_tree_search`. A preset leaves out options whose default is Kapso's number too."""
