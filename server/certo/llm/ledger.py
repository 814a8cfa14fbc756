"""What the models of one search have taken, and what they may still take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import anyio

from certo.llm.prompt import Reply
from certo.vocabulary.cost import Budget, Spent
from certo.vocabulary.errors import BudgetExhausted


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """What calls of a model take; dollars are None where the price is not known."""

    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0

    def __add__(self, other: Expense) -> Expense:
        known = self.dollars is not None and other.dollars is not None
        return Expense(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            dollars=(self.dollars or 0.0) + (other.dollars or 0.0) if known else None,
        )


class Ledger:
    """Keeps the calls, tokens and dollars of one search within its budget.

    Each call is put down before it is sent with the most that it can take, and put right when it has ended. One that
    fits only when those under way take less than they might waits for them; one that does not fit even then is
    refused, and from then on the ledger is `exhausted`, saying so in a sentence. `group` is what whoever set the budget
    calls it.
    """

    def __init__(self, budget: Budget, before: Expense | None = None, *, group: str = "search") -> None:
        """Keep account within a budget, of which so much was taken `before`."""
        self.budget = budget
        self._group = group
        self._settled = before or Expense()
        self._open: list[Expense] = []
        self._changed = anyio.Event()
        self.exhausted = ""

    @property
    def taken(self) -> Expense:
        """What the calls that have ended took."""
        return self._settled

    async def reserve(self, most: Expense, model: str) -> LedgerEntry:
        """Put a call down before it is sent.

        Raises:
            BudgetExhausted: there is not enough left for it, whatever those under way will take.
        """
        while self._lacking(sum(self._open, self._settled) + most):
            lacking = self._lacking(self._settled + most)
            if lacking is not None:
                self.exhausted = f"{lacking[0]} does not cover one more call of {model}{lacking[1]}"
                raise BudgetExhausted(f"{self.exhausted}; raise it to go on")
            await self._changed.wait()
        self._open.append(most)
        return LedgerEntry(self, most)

    def close(self, most: Expense, took: Expense) -> None:
        """Put right what was put down."""
        self._open.remove(most)
        self._settled += took
        self._changed.set()
        self._changed = anyio.Event()

    def spent(self, *, candidates: int, seconds: float) -> Spent:
        """What the search has spent, with what its models took."""
        took = self._settled
        dollars = None if took.dollars is None else round(took.dollars, 6)
        return Spent(
            candidates=candidates, seconds=round(seconds, 3), calls=took.calls, tokens=took.tokens, dollars=dollars
        )

    def _lacking(self, wanted: Expense) -> tuple[str, str] | None:
        """The setting that does not allow so much, with its value, and what is wanted; None where all of them do."""
        for name, cap, amount in (
            ("calls", self.budget.calls, wanted.calls),
            ("tokens", self.budget.tokens, wanted.tokens),
            ("dollars", self.budget.dollars, wanted.dollars),
        ):
            if cap is not None and amount is not None and amount > cap:
                so_far = "" if name == "calls" else f", with which it might come to {amount:,.6g} {name}"
                return f"{self._group}.{self.budget.said(name)}", so_far
        return None


@dataclass(slots=True)
class LedgerEntry:
    """One call that has been put down and not yet put right."""

    ledger: Ledger
    most: Expense

    def settle(self, took: Expense) -> None:
        """Say what the call took in the end; once."""
        self.ledger.close(self.most, took)


class PaidCallLog(Protocol):
    """Keeps calls that are paid for, by the key of all that was asked; see `content_key`."""

    def answered(self, key: str, /) -> Reply | None:
        """An answer that was paid for earlier, once for each time that it was; None where there is none any more."""
        ...

    async def begin(self, key: str, least: Expense, /) -> str:
        """Write down a call that is about to be sent, and takes `least` in any case; returns its mark."""
        ...

    async def end(self, mark: str, took: Expense, reply: Reply, /) -> None:
        """Write down what the call of a mark took, and its answer; returns when both are kept."""
        ...

    def fail(self, mark: str, took: Expense, /) -> None:
        """Write down what the call of a mark took that had no answer, or none that was waited for."""
        ...


class NoReceipts:
    """Keeps nothing."""

    def answered(self, _key: str, /) -> Reply | None:
        """Nothing was paid for earlier."""
        return None

    async def begin(self, _key: str, _least: Expense, /) -> str:
        """A call without a mark."""
        return ""

    async def end(self, _mark: str, _took: Expense, _reply: Reply, /) -> None:
        """Nothing is kept."""

    def fail(self, _mark: str, _took: Expense, /) -> None:
        """Nothing is kept."""
