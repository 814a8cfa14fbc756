"""The guard of a search's budget, which grants each candidate before work on it starts."""

from __future__ import annotations

from certo.llm.ledger import Ledger
from certo.vocabulary.cost import Budget, Spent


class BudgetGuard:
    """Counts the candidates that a search has been granted, and reads from the ledger what its models have used.

    Granting never awaits, so it needs no lock. The ledger is the one that the search's models are asked through.
    """

    def __init__(self, budget: Budget, ledger: Ledger | None = None, *, candidates: int = 0) -> None:
        """Guard a budget of which an earlier run used so many candidates."""
        self.budget = budget
        self._ledger = ledger or Ledger(budget)
        self._refused = False
        self._candidates = candidates

    @property
    def exhausted(self) -> bool:
        """True if the budget is used up and more was asked for."""
        return bool(self._ledger.exhausted) or (self._refused and self._candidates >= self.budget.candidates)

    @property
    def reason(self) -> str:
        """A sentence about the part of the budget for models that did not cover a call; empty if all were covered."""
        return self._ledger.exhausted

    @property
    def asked_models(self) -> bool:
        """True if any call of a language model has ended."""
        return self._ledger.taken.calls > 0

    def progress(self, spent: Spent) -> float:
        """Return the percentage of the budget that is spent, by the part that is used up most (as Kapso counts)."""
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
        """Return True if another candidate can be granted and a model asked for it."""
        return self.covers() and not self._ledger.exhausted

    def covers(self) -> bool:
        """Return True if another candidate can be granted; a refusal is remembered, as by `grant`."""
        self._refused = self._refused or self._candidates >= self.budget.candidates
        return self._candidates < self.budget.candidates

    def grant(self) -> bool:
        """Grant one candidate and return True, or refuse and remember that."""
        if not self.covers():
            return False
        self._candidates += 1
        return True

    def give_back(self) -> None:
        """Refund a grant, because nothing new was proposed."""
        self._candidates -= 1

    def spent(self, seconds: float) -> Spent:
        """Return what has been used, with the wall-clock seconds that the caller measured."""
        return self._ledger.spent(candidates=self._candidates, seconds=seconds)
