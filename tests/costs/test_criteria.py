"""A criterion as a cost: less is better, or more, turned so that less is."""

from __future__ import annotations

from typing import Any

import pytest

from certo.costs.criteria import CriterionCost
from certo.criteria.combination import WeightedSum
from certo.criteria.quantitative import QuantitativeCriteria
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.cost import Cost, Spread
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.verdict import Report
from support.models.scripted_judges import FENCED, Judge
from support.search.candidates import HALF, problem

pytestmark = pytest.mark.acceptance(28)


def gauge(*answers: Any, **parameters: Any) -> QuantitativeCriteria:
    return QuantitativeCriteria(
        "How clear is it?", Judge(*answers), num_samples=len(answers), name="clarity", **parameters
    )


async def priced(model: CriterionCost) -> Cost:
    text = HALF.replace("return n", "return n / 2")
    made = Candidate(id="c", edits=(), text=text, origin=Origin(generator="planned"))
    return await model.price(made, Report(candidate_id="c"), problem())


async def test_points_cost_with_numbers_as_evidence() -> None:
    cost = await priced(CriterionCost(gauge("6", "9", "11", "hm")))
    assert (cost.value, cost.unit) == (7.5, "points")
    assert cost.source == "clarity: 7.5 on a scale from 0 to 10, less is better"
    assert cost.spreads == (Spread(criterion="clarity", values=(6.0, 9.0), aggregate=7.5, low=0.0, high=10.0),)


async def test_scores_cost_their_missing_points() -> None:
    cost = await priced(CriterionCost(gauge("8", higher_is_better=True)))
    assert (cost.value, cost.source) == (2.0, "clarity: 8 on a scale from 0 to 10, more is better")


async def test_a_better_candidate_costs_less_either_way() -> None:
    for higher in (False, True):
        dear, cheap = ("2", "9") if higher else ("9", "2")
        costs = [await priced(CriterionCost(gauge(answer, higher_is_better=higher))) for answer in (dear, cheap)]
        assert costs[0].value > costs[1].value


async def test_a_fallback_is_marked_and_says_why() -> None:
    cost = await priced(CriterionCost(gauge(ModelFailed("judge: the provider is down"))))
    assert cost.value == 5.0
    assert cost.spreads[0].fallback
    assert cost.source.endswith("; insufficient valid answers of the model: 0/1; 5 is a fallback")


async def test_weighted_sums_are_costs_too() -> None:
    total = WeightedSum((gauge("4"), 2), (gauge("7", higher_is_better=True), 1), name="style")
    cost = await priced(CriterionCost(total))
    assert cost.value == pytest.approx(11.0)
    assert cost.spreads[0].criterion == "style"


async def test_the_judge_sees_the_code_only() -> None:
    rated = gauge("4")
    await priced(CriterionCost(rated))
    assert isinstance(rated.llm, Judge)
    found = FENCED.search(rated.llm.asked[0].messages[-1].text)
    assert found is not None
    assert found["inside"] == "def half(n):\n    return n / 2\n"
