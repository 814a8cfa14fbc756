"""Several costs as one: each times its weight, added up."""

from __future__ import annotations

from dataclasses import dataclass

from certo.costs.model import CostModel
from certo.costs.pricing import priced
from certo.sandbox.crew import side_by_side
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One cost among several: its name, what it is multiplied by, and how it is found."""

    name: str
    weight: float
    model: CostModel


class Weighted:
    """Prices a candidate by the weighted sum of its parts; its source says what each of them came to.

    A candidate of which one part cannot be had is not priced at all, for a sum without it would look cheap.
    """

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._parts = parts

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        """Have all parts priced at the same time, and add them up."""
        costs: dict[str, Cost] = {}

        async def price(part: Part) -> None:
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
