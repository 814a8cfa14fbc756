"""Presets: options of a strategy that go together, by the names and with the numbers of Kapso."""

from __future__ import annotations

from collections.abc import Mapping

OWN_MODEL_THRICE = ("", "", "")
"""An ensemble of the generator's own model, asked three times: Kapso names one of its provider's models three times."""

LINEAR_SEARCH: Mapping[str, Mapping[str, object]] = {
    "DEFAULT": {},
    "MINIMAL": {"code_debug_tries": 2},
    "PRODUCTION": {"code_debug_tries": 5},
}
"""For `linear_search`."""

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
"""For `llm_tree_search`. What a preset leaves out is as the strategy has it; Kapso's numbers are the same there."""
