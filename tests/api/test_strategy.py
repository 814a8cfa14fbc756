"""A strategy is validated; call, task, runtime and defaults are merged field by explicitly set field."""

from __future__ import annotations

import pytest

from certo import RetryStrategy, Strategy
from certo.api.strategy import merged
from certo.vocabulary.errors import BadSetting

pytestmark = pytest.mark.acceptance(1, 8)


def test_the_defaults_are_those_of_a1() -> None:
    assert (RetryStrategy().max_iterations, RetryStrategy().num_candidates) == (3, 3)
    strategy = Strategy()
    assert (strategy.max_iterations, strategy.num_candidates, strategy.min_candidates_for_comparison) == (3, 3, 1)
    assert (strategy.accept_cost_threshold, strategy.compare_cost_threshold) == (None, None)
    assert (strategy.generate, strategy.verify, strategy.cost, strategy.compact) == (None, None, None, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_iterations", 0),
        ("num_candidates", -1),
        ("num_candidates", True),
        ("max_iterations", 2.5),
        ("min_candidates_for_comparison", 0),
        ("accept_cost_threshold", float("nan")),
        ("seconds", 0),
        ("select", "worst"),
        ("max_iteration", 3),
    ],
)
def test_wrong_field_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(BadSetting, match=f"Strategy.{field} = {value!r}"):
        Strategy(**{field: value})


def test_strongest_layer_decides_each_field() -> None:
    """The strongest layer that sets a field decides it and no other."""
    call = Strategy(verify=len)
    task = RetryStrategy(num_candidates=5)
    runtime = Strategy(num_candidates=7, max_iterations=2, accept_cost_threshold=1.0)
    both = merged(Strategy, call, None, task, runtime)
    assert (both.num_candidates, both.max_iterations, both.accept_cost_threshold) == (5, 2, 1.0)
    assert both.verify is len
    assert both.compare_cost_threshold is None


def test_field_set_to_default_counts() -> None:
    call, runtime = (
        Strategy(num_candidates=3, accept_cost_threshold=None),
        Strategy(num_candidates=9, accept_cost_threshold=2.0),
    )
    both = merged(Strategy, call, runtime)
    assert (both.num_candidates, both.accept_cost_threshold) == (3, None)


def test_what_compares_waits_for_the_cheapest() -> None:
    assert Strategy().selects == "first"
    assert Strategy(cost=len).selects == "cheapest"
    assert Strategy(accept_cost_threshold=1.0).selects == "cheapest"
    assert Strategy(cost=len, select="first").selects == "first"
    assert Strategy(max_iterations=4, first_try=False).options.max_iterations == 4


def test_one_strategy_serves_all_outputs() -> None:
    strategy = RetryStrategy(max_iterations=4, num_candidates=2)
    assert (strategy.tries.max_iterations, strategy.tries.num_candidates) == (4, 2)
    options = merged(Strategy, strategy).options
    assert (options.max_iterations, options.num_candidates) == (4, 2)
