"""Criteria that give numbers.

A1's parameters and defaults are checked when a criterion is made. One number is clamped, of several those outside are
dropped, with one rule for both on demand; too few make the middle of the scale, marked as such. Less is better as for
any cost, or more. Answers are kept, and a judge that fails spoils its own sample only.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.criteria.aggregation import AGGREGATIONS, Scale, aggregate
from certo.criteria.answers import Reading
from certo.criteria.quantitative import QuantitativeCriteria
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from support.models.scripted_judges import Judge

pytestmark = pytest.mark.acceptance(26, 27, 28, 31, 33)

CODE = "def half(n):\n    return n / 2\n"
DOWN = ModelFailed("judge: the provider is down")


def test_the_parameters_are_those_of_a1() -> None:
    parameters = inspect.signature(QuantitativeCriteria).parameters.values()
    assert [(one.name, one.default) for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD] == [
        ("expression", inspect.Parameter.empty),
        ("llm", inspect.Parameter.empty),
        ("min", 0.0),
        ("max", 10.0),
        ("agg", "avg"),
        ("num_samples", 1),
        ("min_samples_for_aggregation", 1),
    ]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"min": 3, "max": 2}, "min must be less than max, which is 2, not 3"),
        ({"min": 3, "max": 3}, "min must be less than max, which is 3, not 3"),
        ({"max": math.nan}, "max must be a finite number, not nan"),
        ({"min": -math.inf}, "min must be a finite number, not -inf"),
        ({"min": "0"}, "min must be a finite number, not '0'"),
        ({"agg": "mean"}, "agg must be one of 'avg', 'med', 'min', 'max', not 'mean'"),
        ({"outside": "keep"}, "outside must be one of 'clamp', 'drop', None, not 'keep'"),
        ({"num_samples": 0}, "num_samples must be a whole number from 1, not 0"),
        ({"min_samples_for_aggregation": 2}, "from 1 to num_samples, which is 1, not 2"),
        ({"expression": ""}, "must say in words what is judged, not ''"),
        ({"llm": None}, "the llm of a criterion must be a model that can be asked, not None"),
    ],
)
def test_impossible_criteria_are_refused_with_their_value(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting) as caught:
        QuantitativeCriteria(**{"expression": "How clear is it?", "llm": Judge("1"), **parameters})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("answers", "parameters", "value", "fallback"),
    [
        (["7"], {}, 7, False),
        (["12"], {}, 10, False),
        (["-1"], {}, 0, False),
        (["nan"], {}, 5, True),
        (["good"], {"min": 2, "max": 4}, 3, True),
        ([DOWN], {}, 5, True),
        (["12"], {"outside": "drop"}, 5, True),
        (["1", "2", "6"], {}, 3, False),
        (["1", "2", "6"], {"agg": "med"}, 2, False),
        (["1", "2", "6"], {"agg": "min"}, 1, False),
        (["1", "2", "6"], {"agg": "max"}, 6, False),
        (["1", "12", "3"], {}, 2, False),
        (["1", "12", "4"], {"outside": "clamp"}, 5, False),
        (["1", "inf", "good", DOWN], {}, 1, False),
        (["1", "12", DOWN], {"min_samples_for_aggregation": 2}, 5, True),
    ],
)
async def test_numbers_make_one(answers: list[Any], parameters: dict[str, Any], value: float, fallback: bool) -> None:
    criterion = QuantitativeCriteria("How clear is it?", Judge(*answers), num_samples=len(answers), **parameters)
    rating = await criterion.rate(CODE)
    assert (rating.value, float(rating), rating.fallback) == (value, value, fallback)
    assert bool(rating.message) is fallback


async def test_a_fallback_is_said_with_its_count() -> None:
    criterion = QuantitativeCriteria("How clear is it?", Judge("3", "good"), 0, 10, "avg", 2, 2)
    rating = await criterion.rate(CODE)
    assert rating.message == "insufficient valid answers of the model: 1/2; 5 is a fallback"
    assert rating.spread.values == (3.0,)


async def test_less_is_better_by_default() -> None:
    for higher, cost, least, most in ((False, 7, 2, 10), (True, 3, 0, 8)):
        rating = await QuantitativeCriteria("How clear is it?", Judge("7"), 2, higher_is_better=higher).rate(CODE)
        assert (rating.value, rating.cost, rating.least_cost, rating.most_cost) == (7, cost, least, most)


async def test_what_was_said_is_kept() -> None:
    judge = Judge('{"reason": "names are short", "score": 6}', "hm", "8", DOWN, "11")
    rating = await QuantitativeCriteria("How clear is it?", judge, num_samples=5).rate(CODE)
    assert [one.value for one in rating.samples] == [6.0, None, 8.0, None, None]
    assert rating.samples[0].raw.startswith('{"reason"')
    assert (rating.spread.values, rating.spread.low, rating.spread.high) == ((6.0, 8.0), 0.0, 10.0)
    assert rating.samples[4].error == "scripted:judge: the answer 11 is not from 0 to 10"
    assert rating.reasons[0] == "names are short"
    assert "judge: the provider is down" in rating.reasons


async def test_a_spent_budget_is_raised() -> None:
    with pytest.raises(BudgetExhausted):
        await QuantitativeCriteria("How clear is it?", Judge("1", BudgetExhausted("spent")), num_samples=2).rate(CODE)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1), st.sampled_from(sorted(AGGREGATIONS)))
def test_aggregates_lie_among_their_numbers(values: list[float], how: str) -> None:
    scale = Scale(low=-1e300, high=1e300, clamps=False)
    spread = aggregate(values, scale, how=how, least=1)
    assert min(values) <= spread.aggregate <= max(values) or math.isclose(spread.aggregate, min(values))
    assert not spread.fallback


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_what_fits_a_scale_lies_on_it(value: float, clamps: bool) -> None:
    fitted = Scale(low=0, high=10, clamps=clamps).fit(Reading(value=value)).value
    assert fitted is None if not clamps and not 0 <= value <= 10 else fitted is not None and 0 <= fitted <= 10
