"""The guard of a search's budget: it grants before work starts, and never more than there is."""

from __future__ import annotations

from certo.vocabulary.cost import Budget, Spent


class BudgetGuard:
    """Counts what a search has been granted. No lock is needed: granting never awaits."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._refused = False
        self._candidates = 0

    @property
    def exhausted(self) -> bool:
        """Whether more was wanted than there was, and all there was has been used."""
        return self._refused and self._candidates >= self.budget.candidates

    def grant(self) -> bool:
        """Grant one candidate, or refuse and remember that something was refused."""
        if self._candidates >= self.budget.candidates:
            self._refused = True
            return False
        self._candidates += 1
        return True

    def give_back(self) -> None:
        """Return a grant that was not used, because nothing new was proposed."""
        self._candidates -= 1

    def spent(self, seconds: float) -> Spent:
        """What has been used, with the wall-clock seconds the caller measured."""
        return Spent(candidates=self._candidates, seconds=round(seconds, 3))
