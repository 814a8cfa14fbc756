"""Contract of a cost: a finite number, lower for better code, and the same each time."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from certo.costs.plugged import as_cost_model
from certo.testing.fixtures import awaited, candidate_with, problem_about
from certo.vocabulary.cost import Cost
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report, Ruling, TestEvidence, Verdict


class CostContract(ABC):
    """Tests for a cost; a Test… subclass provides it, and code of which one is cheaper than the other.

    `cheap` and `dear` are the code of the function `half(n)`, unless `problem` has another one.
    """

    cheap: str
    dear: str

    @abstractmethod
    def cost(self) -> object:
        """Return the cost under test, as a plug-in offers it: a function, a class, or an object with price()."""

    def problem(self) -> Problem:
        """Return the problem whose candidates it prices."""
        return problem_about()

    def test_what_is_better_costs_less(self) -> None:
        """Candidates are ranked by cost, the cheapest first."""
        cheap, dear = self._price(self.cheap), self._price(self.dear)
        assert cheap.value < dear.value, f"{cheap.value} {cheap.unit} is not less than {dear.value} {dear.unit}"

    def test_it_gives_a_number_with_its_unit_and_source(self) -> None:
        """A reader must know the unit and source of a number."""
        cost = self._price(self.cheap)
        assert math.isfinite(cost.value)
        assert cost.unit
        assert cost.source

    def test_it_says_the_same_each_time(self) -> None:
        """The best candidate must not be so by chance."""
        assert self._price(self.dear).value == self._price(self.dear).value

    def _price(self, code: str) -> Cost:
        problem = self.problem()
        candidate = candidate_with(code, problem)
        evidence = TestEvidence(collected=1, ran=1, passed=1, failed=0, skipped=0, touched=True, seconds=0.1)
        verdict = Verdict(verifier="tests", ruling=Ruling.PASSED, tests=evidence)
        report = Report(candidate_id=candidate.id, verdicts=(verdict,))
        return awaited(lambda: as_cost_model(self.cost(), "plugged").price(candidate, report, problem))
