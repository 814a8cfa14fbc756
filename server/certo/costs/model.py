"""Contract of costs: the price of a candidate that passed."""

from __future__ import annotations

import logging
import math
from typing import Protocol

from certo.concurrency import side_by_side
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import UNKNOWN, Cost
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report


class CostModel(Protocol):
    """Prices a candidate that passed; equal candidates get equal costs, and lower is better."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        """Return the candidate's cost."""
        ...


log = logging.getLogger(__name__)


async def priced(model: CostModel, candidate: Candidate, report: Report, problem: Problem) -> Cost:
    """Return the cost of a candidate; one that cannot be priced gets the cost UNKNOWN, with the reason.

    Raises:
        BadRequest: The model cannot price anything with these settings.
    """
    try:
        cost = await model.price(candidate, report, problem)
    except BadRequest:
        raise
    except Exception as error:
        log.warning("%s cannot price candidate %s", type(model).__name__, candidate.id, exc_info=True)
        return _unknown(f"{type(error).__name__}: {error}")
    if not math.isfinite(cost.value) or cost.value > UNKNOWN:
        return _unknown(f"{cost.value:g} is no cost: {cost.source}")
    return cost


def _unknown(reason: str) -> Cost:
    return Cost(value=UNKNOWN, unit="", source=f"not priced: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPart:
    """One cost of several: its name, its weight, and its model."""

    name: str
    weight: float
    model: CostModel


class Weighted:
    """Prices a candidate by the weighted sum of its parts; its source lists them.

    If one part has no price, the sum has none either, because without it the candidate would look cheap.
    """

    def __init__(self, parts: tuple[WeightedPart, ...]) -> None:
        self._parts = parts

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        """Price all parts concurrently and add them up."""
        costs: dict[str, Cost] = {}

        async def price(part: WeightedPart) -> None:
            costs[part.name] = await priced(part.model, candidate, report, problem)

        async with side_by_side() as group:
            for part in self._parts:
                group.start_soon(price, part)
        for part in self._parts:
            if not costs[part.name].known:
                return costs[part.name]
        return Cost(
            value=sum(part.weight * costs[part.name].value for part in self._parts),
            unit="points",
            source=" + ".join(
                f"{part.name} {round(costs[part.name].value, 3):g} × {part.weight:g}" for part in self._parts
            ),
            spreads=tuple(spread for part in self._parts for spread in costs[part.name].spreads),
        )
