"""The guard of a search's budget: it grants before work starts, and never more than there is."""

from __future__ import annotations

from certo.llm.ledger import Ledger
from certo.vocabulary.cost import Budget, Spent


class BudgetGuard:
    """Counts the candidates a search has been granted, and knows what its models have taken.

    No lock is needed: granting never awaits. The ledger is the one that the search's models are asked through.
    """

    def __init__(self, budget: Budget, ledger: Ledger | None = None, *, candidates: int = 0) -> None:
        """Guard a budget of which so many candidates were granted in an earlier run, and what the ledger says."""
        self.budget = budget
        self._ledger = ledger or Ledger(budget)
        self._refused = False
        self._candidates = candidates

    @property
    def exhausted(self) -> bool:
        """Whether more was wanted than there was, and all there was has been used."""
        return bool(self._ledger.exhausted) or (self._refused and self._candidates >= self.budget.candidates)

    @property
    def reason(self) -> str:
        """Which part of the budget for models did not cover what was wanted of it; nothing when all of it did."""
        return self._ledger.exhausted

    @property
    def asked_models(self) -> bool:
        """Whether any call of a language model has ended."""
        return self._ledger.taken.calls > 0

    def progress(self, spent: Spent) -> float:
        """How much of the budget that is which was spent, in percent: of its parts the one of which most is (Kapso)."""
        budget = self.budget
        parts: tuple[tuple[float | None, float | None], ...] = (
            (spent.candidates, budget.candidates),
            (spent.seconds, budget.seconds),
            (spent.calls, budget.calls),
            (spent.tokens, budget.tokens),
            (spent.dollars, budget.dollars),
        )
        shares = [taken / whole if whole else 1.0 for taken, whole in parts if taken is not None and whole is not None]
        return min(100.0, 100.0 * max(shares))

    def affords(self) -> bool:
        """Whether there is another candidate to be had; that something was refused is remembered."""
        if self._candidates >= self.budget.candidates:
            self._refused = True
            return False
        return not self._ledger.exhausted

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
        return self._ledger.spent(candidates=self._candidates, seconds=seconds)
