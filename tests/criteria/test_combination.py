"""Criteria put together: all of them, any of them, a weighted sum."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from certo.criteria.combination import AllOf, AnyOf, WeightedSum
from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.vocabulary.errors import BadSetting, BudgetExhausted, ModelFailed
from certo.vocabulary.verdict import Votes
from support.models.scripted_judges import Judge, Says

pytestmark = pytest.mark.acceptance(32)

CODE = "def half(n):\n    return n / 2\n"
LATE = Says(text="true", waits=True)


def gate(*answers: Any) -> QualitativeCriteria:
    return QualitativeCriteria("Is it right?", Judge(*answers), len(answers))


def gauge(answer: Any, **parameters: Any) -> QuantitativeCriteria:
    return QuantitativeCriteria("How clear is it?", Judge(answer), **parameters)


@pytest.mark.parametrize(
    ("answers", "all_of", "any_of"),
    [
        (["true", "true"], True, True),
        (["true", "false"], False, True),
        (["false", "hm"], False, False),
        ([ModelFailed("down"), "true"], False, True),
    ],
)
async def test_gates_are_joined(answers: list[Any], all_of: bool, any_of: bool) -> None:
    gates = [gate(answer) for answer in answers]
    assert (await AllOf(*gates).decide(CODE)).passed is all_of
    assert (await AnyOf(*gates).decide(CODE)).passed is any_of


async def test_joint_decisions_keep_their_parts() -> None:
    decision = await AnyOf(gate("false"), gate('{"reason": "it leaks", "verdict": false}', "no")).decide(CODE)
    assert decision.votes == Votes(passed=0, valid=2, asked=2, needed=1)
    assert [len(part.samples) for part in decision.parts] == [1, 2]
    assert decision.message == (
        "failed the criterion (0/1 samples passed, need 1); failed the criterion (0/2 samples passed, need 1)"
    )
    assert "it leaks" in decision.reasons


async def test_combinations_can_be_combined() -> None:
    nested = AllOf(gate("true"), AnyOf(gate("false"), gate("true")))
    assert (await nested.decide(CODE)).passed


async def test_decided_votes_are_cut_off() -> None:
    for joined, answer, passed in ((AllOf, "false", False), (AnyOf, "true", True)):
        late = gate(LATE)
        with anyio.fail_after(100):
            assert (await joined(gate(answer), late).decide(CODE)).passed is passed
        assert isinstance(late.llm, Judge)
        assert late.llm.cut_off == [0]


async def test_gauges_sum_so_less_is_better() -> None:
    rating = await WeightedSum((gauge("7"), 2.0), (gauge("7", higher_is_better=True), 0.5)).rate(CODE)
    assert rating.cost == rating.value == 2 * 7 + 0.5 * 3
    assert rating.spread.values == (14.0, 1.5)
    assert (rating.spread.low, rating.spread.high) == (0.0, 25.0)
    assert [part.value for part in rating.parts] == [7.0, 7.0]
    assert not rating.fallback
    assert (await WeightedSum((gauge("7"), 1), (gauge("hm"), 1)).rate(CODE)).fallback


async def test_spent_budgets_are_raised() -> None:
    with anyio.fail_after(100), pytest.raises(BudgetExhausted):
        await AllOf(gate(LATE), gate(BudgetExhausted("spent"))).decide(CODE)


def test_what_makes_no_combination_is_refused() -> None:
    for made in (AllOf, AnyOf, WeightedSum):
        with pytest.raises(BadSetting, match="at least one criterion"):
            made()
    for weight in (0, -1, float("nan"), True):
        with pytest.raises(BadSetting, match=f"must be a finite number above 0, not {weight!r}"):
            WeightedSum((gauge("7"), weight))
