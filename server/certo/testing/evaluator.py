"""The contract of an evaluator: finite numbers, the better score for the better code, and the same each time."""

from __future__ import annotations

from abc import ABC, abstractmethod

from certo.search.scoring import SCORE, as_evaluator
from certo.testing.fixtures import awaited, candidate_with, problem_about
from certo.vocabulary.problem import Problem


class EvaluatorContract(ABC):
    """Tests for an evaluator; a Test… subclass provides it, and code of which one is better than the other.

    `better` and `worse` are the code of the function `half(n)`, unless `problem` has another one. Set `maximize` to
    False for an evaluator that is used with `search.maximize = false`.
    """

    better: str
    worse: str
    maximize = True

    @abstractmethod
    def evaluator(self) -> object:
        """Return the evaluator under test, as a plug-in offers it: a function of the text, a class, or its instance."""

    def problem(self) -> Problem:
        """Return the problem whose candidates it scores: the file is the worse code and nothing else."""
        return problem_about(self.worse)

    def test_the_better_code_has_the_better_score(self) -> None:
        """Candidates that pass are ranked by it."""
        better, worse = self._measured(self.better)[SCORE], self._measured(self.worse)[SCORE]
        assert better > worse if self.maximize else better < worse, f"better: {better}, worse: {worse}"

    def test_it_says_the_same_each_time(self) -> None:
        """The best candidate must not be so by chance."""
        assert self._measured(self.better) == self._measured(self.better)

    def _measured(self, code: str) -> dict[str, float]:
        problem = self.problem()
        candidate = candidate_with(code, problem)
        numbers, _ = awaited(lambda: as_evaluator(self.evaluator(), "plugged").measure(candidate, problem))
        return numbers
