"""Presets lie under what is set, wherever it is set, and one that is misspelt is refused with those there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from certo.settings.loader import load_settings, read_settings
from certo.strategies.linear_search import LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearchOptions
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(66, 67)

NUMBERS = {
    "DEFAULT": ("medium", 5, 2, 5, 1, 1, 1, 10, 30, ()),
    "MINIMAL": ("medium", 2, 2, 5, 1, 1, 1, 10, 50, ()),
    "PRODUCTION": ("high", 10, 2, 5, 2, 1, 1, 10, 30, ("", "", "")),
    "HEAVY_EXPERIMENTATION": ("high", 3, 3, 15, 1, 2, 7, 15, 50, ("", "", "")),
    "HEAVY_THINKING": ("high", 5, 2, 10, 1, 1, 1, 10, 50, ("", "", "")),
}
"""Kapso's, in the order of the options; its models are the generator's own here."""

NAMES = (
    "reasoning_effort",
    "code_debug_tries",
    "node_expansion_limit",
    "node_expansion_new_childs_count",
    "idea_generation_steps",
    "first_experiment_factor",
    "experimentation_per_run",
    "per_step_maximum_solution_count",
    "exploration_budget_percent",
    "idea_generation_ensemble_models",
)


def chosen(root: Path, **flags: Any) -> LlmTreeSearchOptions:
    return load_settings(root, client=None, environ={}, flags={"llm_tree_search": flags}).llm_tree_search


@pytest.mark.parametrize("preset", NUMBERS)
def test_a_preset_has_the_numbers_of_kapso(tmp_path: Path, preset: str):
    options = chosen(tmp_path, preset=preset)
    assert tuple(getattr(options, name) for name in NAMES) == NUMBERS[preset]
    assert set(NUMBERS) == set(LlmTreeSearchOptions.presets)


@pytest.mark.parametrize(("preset", "tries"), [("DEFAULT", 3), ("MINIMAL", 2), ("PRODUCTION", 5)])
def test_a_line_has_presets_too(tmp_path: Path, preset: str, tries: int):
    environ = {"CERTO_LINEAR_SEARCH__PRESET": preset}
    assert load_settings(tmp_path, client=None, environ=environ, flags=None).linear_search.code_debug_tries == tries


def test_presets_change_nothing_that_is_set(tmp_path: Path):
    (tmp_path / "certo.toml").write_text("llm_tree_search.node_expansion_limit = 2\n", encoding="utf-8")
    found = read_settings(
        tmp_path,
        client={"llmTreeSearch": {"experimentationPerRun": 1}},
        environ={"CERTO_LLM_TREE_SEARCH__REASONING_EFFORT": "low"},
        flags={"llm_tree_search.preset": "HEAVY_EXPERIMENTATION"},
    )
    options = found.settings.llm_tree_search
    assert (options.node_expansion_limit, options.experimentation_per_run, options.reasoning_effort) == (2, 1, "low")
    assert options.node_expansion_new_childs_count == 15
    assert found.origins["llm_tree_search.first_experiment_factor"] == "the preset HEAVY_EXPERIMENTATION"
    assert found.origins["llm_tree_search.node_expansion_limit"] == "certo.toml"


def test_misspelt_presets_are_refused_with_suggestions(tmp_path: Path):
    with pytest.raises(BadSetting) as refused:
        chosen(tmp_path, preset="PRODUKTION")
    for name in NUMBERS:
        assert f"'{name}'" in str(refused.value)
    assert "llm_tree_search.preset" in str(refused.value)


def test_no_other_options_change_with_a_preset():
    for options in (LinearSearchOptions, LlmTreeSearchOptions):
        for preset in options.presets.values():
            assert set(preset) <= set(options.__dataclass_fields__) - {"preset"}
