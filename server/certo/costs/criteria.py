"""The cost of a candidate by a plain-language criterion, as sampled from a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from certo.criteria.aggregation import Rating
from certo.criteria.criterion import Gauge
from certo.criteria.prompts import Field, seen
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


class CriterionCost:
    """Prices a candidate by the points a criterion gives it, or by those missing to the most where more is better."""

    def __init__(self, gauge: Gauge, sees: Sequence[Field] = ("code",)) -> None:
        self._gauge = gauge
        self._sees = tuple(sees)

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:  # noqa: ARG002 - contract
        """Return the rating of a candidate as its cost.

        Raises:
            BudgetExhausted: The budget does not cover the calls for the number.
            BadRequest: The model cannot be asked with these settings.
        """
        rating = await self._gauge.rated(seen(candidate, problem, self._sees))
        return Cost(
            value=rating.cost,
            unit="points",
            source=_source(self._gauge.name, rating),
            spreads=(replace(rating.spread, criterion=self._gauge.name),),
        )


def _source(name: str, rating: Rating) -> str:
    """Return the source of the points: "clarity: 7 on a scale from 0 to 10, more is better"."""
    spread = rating.spread
    if spread.low == spread.high:
        return f"{name}: {rating.value:g}, less is better"
    better = "more" if rating.higher_is_better else "less"
    said = f"{name}: {rating.value:g} on a scale from {spread.low:g} to {spread.high:g}, {better} is better"
    return f"{said}; {rating.message}" if rating.message else said
