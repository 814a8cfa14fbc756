"""How small and how large a number may be, as JSON schemas say it, for editors that check what is being typed.

The options of each room say the same by refusing such a value; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping

from certo.criteria.options import MOST_SAMPLES
from certo.strategies.retry import MOST_LINES

Limits = Mapping[str, float]

AT_LEAST_ONE: Limits = {"minimum": 1}
NOT_NEGATIVE: Limits = {"minimum": 0}
POSITIVE: Limits = {"exclusiveMinimum": 0}

_MODEL: Mapping[str, Limits] = {
    "temperature": NOT_NEGATIVE,
    "max_tokens": AT_LEAST_ONE,
    "seconds": POSITIVE,
    "stall_seconds": POSITIVE,
    "tries": AT_LEAST_ONE,
    "max_concurrency": AT_LEAST_ONE,
    "requests_per_minute": AT_LEAST_ONE,
    "tokens_per_minute": AT_LEAST_ONE,
    "input_dollars": NOT_NEGATIVE,
    "cached_dollars": NOT_NEGATIVE,
    "output_dollars": NOT_NEGATIVE,
}

LIMITS: Mapping[str, Limits] = {
    "search.candidates": AT_LEAST_ONE,
    "search.seconds": POSITIVE,
    "search.calls": NOT_NEGATIVE,
    "search.tokens": NOT_NEGATIVE,
    "search.dollars": NOT_NEGATIVE,
    "auto.num_candidates": {"minimum": 1, "maximum": MOST_LINES},
    "retry.num_candidates": {"minimum": 1, "maximum": MOST_LINES},
    "retry.max_iterations": AT_LEAST_ONE,
    "retry.min_candidates_for_comparison": AT_LEAST_ONE,
    "best_of.num_candidates": {"minimum": 1, "maximum": MOST_LINES},
    "linear_search.code_debug_tries": NOT_NEGATIVE,
    "llm_tree_search.code_debug_tries": NOT_NEGATIVE,
    "llm_tree_search.node_expansion_limit": AT_LEAST_ONE,
    "llm_tree_search.node_expansion_new_childs_count": AT_LEAST_ONE,
    "llm_tree_search.idea_generation_steps": AT_LEAST_ONE,
    "llm_tree_search.first_experiment_factor": AT_LEAST_ONE,
    "llm_tree_search.experimentation_per_run": AT_LEAST_ONE,
    "llm_tree_search.per_step_maximum_solution_count": AT_LEAST_ONE,
    "llm_tree_search.exploration_budget_percent": {"minimum": 0, "maximum": 100},
    "mcts.n_samples": AT_LEAST_ONE,
    "mcts.max_calls": AT_LEAST_ONE,
    "mcts.max_retries": NOT_NEGATIVE,
    "mcts.retry_delay": NOT_NEGATIVE,
    "mcts.exploration": NOT_NEGATIVE,
    "mcts.alpha": POSITIVE,
    "mcts.beta": POSITIVE,
    "mcts.widening": POSITIVE,
    "mcts.widening_exponent": NOT_NEGATIVE,
    "fixer.num_rounds": NOT_NEGATIVE,
    "builtin.seconds": POSITIVE,
    "builtin.steps": AT_LEAST_ONE,
    "builtin.candidates": AT_LEAST_ONE,
    "builtin.plausible": AT_LEAST_ONE,
    "generation.temperatures": {"minimum": 0, "maximum": 2},
    "generation.context_tokens": NOT_NEGATIVE,
    "generation.related_tokens": NOT_NEGATIVE,
    "generation.conversation_tokens": {"minimum": 200},
    "journal.days": POSITIVE,
    "cost.size": NOT_NEGATIVE,
    "cost.complexity": NOT_NEGATIVE,
    "cost.runtime": NOT_NEGATIVE,
    "cost.lint": NOT_NEGATIVE,
    "cost.control_flow": NOT_NEGATIVE,
    "sandbox.slots": AT_LEAST_ONE,
    "sandbox.memory_mebibytes": AT_LEAST_ONE,
    "sandbox.processes": AT_LEAST_ONE,
    "sandbox.file_mebibytes": AT_LEAST_ONE,
    "sandbox.output_mebibytes": AT_LEAST_ONE,
    "criteria.<name>.samples": {"minimum": 1, "maximum": MOST_SAMPLES},
    "criteria.<name>.min_samples": AT_LEAST_ONE,
    "criteria.<name>.min_pass": AT_LEAST_ONE,
    "criteria.<name>.weight": POSITIVE,
    **{f"model.{name}": limits for name, limits in _MODEL.items()},
    **{f"models.<name>.{name}": limits for name, limits in _MODEL.items()},
}
"""For each setting that is a number with limits, or a list of such numbers; the others are not limited."""
