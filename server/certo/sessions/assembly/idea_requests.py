"""How often a search asks for ideas and opinions: the first wish for ideas, and the most questions that can follow."""

from __future__ import annotations

import math

from certo.generation.adviser import IdeaRequest
from certo.settings.schema import Settings

CHOICES = 3
"""In each step of a tree search: what to drop, what to have ideas about, and what to try."""

ASKED = 2
"""How often one question for advice is put, where no answer can be read."""


def first_idea_request(settings: Settings) -> IdeaRequest | None:
    """What a search by ideas wishes for before it tries anything; None where the strategy has no ideas."""
    if settings.search.strategy == "linear_search":
        return IdeaRequest(count=1, models=tuple(filter(None, [settings.linear_search.idea_generation_model])))
    if settings.search.strategy == "llm_tree_search":
        options = settings.llm_tree_search
        count = min(4 * options.node_expansion_limit, options.per_step_maximum_solution_count)
        return IdeaRequest(
            count=count,
            steps=options.idea_generation_steps,
            models=options.idea_generation_ensemble_models,
            effort=options.reasoning_effort,
        )
    return None


def max_idea_requests(settings: Settings) -> int:
    """How many questions for advice there can be, when each candidate takes a step and each question a repair."""
    if settings.search.strategy == "linear_search":
        return ASKED * settings.search.candidates
    if settings.search.strategy != "llm_tree_search":
        return 0
    options = settings.llm_tree_search
    each = max(1, len(options.idea_generation_ensemble_models)) * options.idea_generation_steps
    limit, at_once = options.node_expansion_limit, options.per_step_maximum_solution_count
    step = limit * math.ceil(options.node_expansion_new_childs_count / at_once) * each + CHOICES
    more = (options.first_experiment_factor - 1) * limit * options.node_expansion_new_childs_count * each
    return ASKED * (math.ceil(4 * limit / at_once) * each + more + step * settings.search.candidates)
