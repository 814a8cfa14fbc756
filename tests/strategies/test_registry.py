"""The registry of strategies: each entry leads to parts that fit each other, and naming one imports none of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from certo.plugins import import_place
from certo.settings.schema import Settings
from certo.strategies.estimate import StrategyEstimate, estimate_strategy
from certo.strategies.registry import ENTRIES, STRATEGIES, wants_model


@pytest.mark.parametrize("name", ENTRIES)
def test_parts_of_an_entry_belong_together(name: str):
    """The settings have a group of the strategy's name with its options, and the strategy is made of these."""
    options = getattr(Settings(), name)
    assert type(options) is import_place(ENTRIES[name].options)
    assert STRATEGIES.load(name)(options).name == name
    estimate = estimate_strategy(name, options, 64)
    assert estimate.branches >= 1
    assert 1 <= estimate.attempts <= 64


@pytest.mark.parametrize("name", ENTRIES)
def test_only_followers_of_ideas_request_ideas(name: str):
    estimate = estimate_strategy(name, getattr(Settings(), name), 64)
    assert (estimate.first_idea_request is None) == (estimate.max_idea_requests == 0)
    assert wants_model(name) or estimate.first_idea_request is None


def test_plug_ins_make_an_attempt_per_candidate():
    assert estimate_strategy("of another's", None, 7) == StrategyEstimate(attempts=7)
    assert not wants_model("of another's")


def test_naming_a_strategy_imports_none():
    program = (
        "import sys; from certo.strategies.registry import STRATEGIES, wants_model; "
        "wants_model('mcts'); STRATEGIES.names(); "
        "print([name for name in sys.modules if name.startswith(('certo.strategies.', 'certo.search'))])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout.strip() == "['certo.strategies.registry']"
