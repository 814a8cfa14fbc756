"""Laws of the decision from measured rounds."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.behaviour.speed_statistics import LOOKS, RoundRatios, SpeedDecision, bounds, decide, exponent

ratios = st.floats(min_value=0.01, max_value=100)


def rounds_of(candidate: list[float], control: list[float]) -> list[RoundRatios]:
    return [RoundRatios(candidate=one, control=other) for one, other in zip(candidate, control, strict=True)]


def test_error_levels_add_up_to_one_percent() -> None:
    assert sum(level for _, level in LOOKS) <= 0.01 + 1e-12


@given(st.lists(ratios, min_size=8, max_size=40), st.sampled_from([0.004, 0.003]))
def test_median_lies_within_bounds(values: list[float], level: float) -> None:
    found = bounds(values, level)
    assert found.low <= found.middle <= found.high


@given(st.lists(ratios, min_size=8, max_size=40), st.floats(min_value=0.1, max_value=10))
def test_bounds_scale_with_values(values: list[float], factor: float) -> None:
    one, other = bounds(values, 0.004), bounds([factor * value for value in values], 0.004)
    assert math.isclose(other.low, factor * one.low)
    assert math.isclose(other.high, factor * one.high)


@given(st.lists(ratios, min_size=1, max_size=7))
def test_few_values_bound_nothing(values: list[float]) -> None:
    found = bounds(values, 0.004)
    assert (found.low, found.high) == (0.0, math.inf)


@pytest.mark.parametrize(("number", "level"), LOOKS)
def test_bounds_are_wrong_as_rarely_as_said(number: int, level: float) -> None:
    """The lower bound of values around 1 exceeds 1 at most as often as the level says, whatever their distribution."""
    dice = random.Random(number)
    draws = 20_000
    wrong = sum(bounds([math.exp(dice.gauss(0, 1) ** 3) for _ in range(number)], level).low > 1 for _ in range(draws))
    assert wrong / draws <= level + 3 * math.sqrt(level / draws)


@given(st.lists(ratios, min_size=1, max_size=41))
def test_nothing_is_decided_between_looks(values: list[float]) -> None:
    if len(values) not in dict(LOOKS):
        assert decide(rounds_of(values, values)) is SpeedDecision.OPEN


@given(st.lists(st.floats(min_value=0.5, max_value=1.049), min_size=8, max_size=8))
def test_slow_rounds_are_never_faster(values: list[float]) -> None:
    assert decide(rounds_of(values, [1.0] * 8)) is not SpeedDecision.FASTER


@given(st.lists(st.floats(min_value=1.05, max_value=50), min_size=8, max_size=8))
def test_fast_rounds_are_faster(values: list[float]) -> None:
    assert decide(rounds_of(values, [1.0] * 8)) is SpeedDecision.FASTER


@given(st.lists(ratios, min_size=40, max_size=40))
def test_biased_control_is_noise(values: list[float]) -> None:
    """If the original is faster than its own copy in all rounds, no ratio counts."""
    assert decide(rounds_of(values, [1.2] * 40)) is SpeedDecision.NOISY


def test_last_look_is_never_open() -> None:
    dice = random.Random(1)
    for _ in range(500):
        candidate = [dice.lognormvariate(0.05, 0.2) for _ in range(40)]
        control = [dice.lognormvariate(0, 0.1) for _ in range(40)]
        assert decide(rounds_of(candidate, control)) is not SpeedDecision.OPEN


@given(st.floats(min_value=0.0, max_value=4), st.floats(min_value=1e-9, max_value=1))
def test_exponent_of_a_power_is_found(power: float, unit: float) -> None:
    sizes = [10.0, 20.0, 80.0]
    found = exponent(sizes, [unit * size**power for size in sizes])
    assert found is not None
    assert math.isclose(found, power, abs_tol=1e-6)


def test_one_size_has_no_exponent() -> None:
    assert exponent([10.0, 10.0], [1.0, 2.0]) is None
