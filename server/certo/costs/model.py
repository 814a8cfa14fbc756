"""The cost contract: what a candidate that passed costs."""

from __future__ import annotations

from typing import Protocol

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


class CostModel(Protocol):
    """Prices a candidate that passed; equal candidates get equal costs, and lower is better."""

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        """Return the candidate's cost."""
        ...
