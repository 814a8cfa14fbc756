"""Ledger of one search: calls, tokens and dollars that its models took, and its budget for them."""

from __future__ import annotations

from typing import Protocol

import anyio

from certo.llm.prompt import Reply
from certo.vocabulary.cost import Budget, Spent
from certo.vocabulary.errors import BudgetExhausted
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """Cost of model calls; `dollars` is None if a price is unknown. `cached_tokens` are part of the `tokens`."""

    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0
    cached_tokens: int = 0

    def __add__(self, other: Expense) -> Expense:
        known = self.dollars is not None and other.dollars is not None
        return Expense(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            dollars=(self.dollars or 0.0) + (other.dollars or 0.0) if known else None,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )


class Ledger:
    """Keeps the calls, tokens and dollars of one search within its budget.

    Each call is reserved at its maximum cost before it is sent and settled at its actual cost when it ends. A call that
    fits only if pending calls cost less than reserved waits for them; one that does not fit even then is refused, and
    `exhausted` holds the reason as a sentence from then on. `group` names the source of the budget in messages.
    """

    def __init__(self, budget: Budget, before: Expense | None = None, *, group: str = "search") -> None:
        """Keep account within a budget; `before` was already spent."""
        self.budget = budget
        self._group = group
        self._settled = before or Expense()
        self._open: list[Expense] = []
        self._changed = anyio.Event()
        self.exhausted = ""

    @property
    def taken(self) -> Expense:
        """Actual cost of the calls that have ended."""
        return self._settled

    async def reserve(self, most: Expense, model: str) -> LedgerEntry:
        """Reserve the maximum cost of a call before it is sent.

        Raises:
            BudgetExhausted: The budget does not cover the call, whatever pending calls will cost.
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
        """Replace a reservation by the actual cost."""
        self._open.remove(most)
        self._settled += took
        self._changed.set()
        self._changed = anyio.Event()

    def spent(self, *, candidates: int, seconds: float) -> Spent:
        """Return everything the search has spent, its models included."""
        took = self._settled
        dollars = None if took.dollars is None else round(took.dollars, 6)
        return Spent(
            candidates=candidates,
            seconds=round(seconds, 3),
            calls=took.calls,
            tokens=took.tokens,
            dollars=dollars,
            cached_tokens=took.cached_tokens,
        )

    def _lacking(self, wanted: Expense) -> tuple[str, str] | None:
        """Return the setting that is exceeded, with its value, and the amount wanted; None if all suffice."""
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
    """A reserved call that is not settled yet."""

    ledger: Ledger
    most: Expense

    def settle(self, took: Expense) -> None:
        """Settle the call at its actual cost; called once."""
        self.ledger.close(self.most, took)


class PaidCallLog(Protocol):
    """Log of paid calls, by the key of everything that was asked; see `content_key`."""

    def answered(self, key: str, /) -> Reply | None:
        """Return an answer paid for earlier, each at most once; None if there is none left."""
        ...

    async def begin(self, key: str, least: Expense, /) -> str:
        """Record a call about to be sent with its minimum cost; return its mark."""
        ...

    async def end(self, mark: str, took: Expense, reply: Reply, /) -> None:
        """Record the cost and answer of the call with this mark; return when both are stored."""
        ...

    def fail(self, mark: str, took: Expense, /) -> None:
        """Record the cost of a call that failed or was cancelled."""
        ...


class NoReceipts:
    """A log that keeps nothing."""

    def answered(self, _key: str, /) -> Reply | None:
        """Return None: nothing was paid for earlier."""
        return None

    async def begin(self, _key: str, _least: Expense, /) -> str:
        """Return an empty mark."""
        return ""

    async def end(self, _mark: str, _took: Expense, _reply: Reply, /) -> None:
        """Do nothing."""

    def fail(self, _mark: str, _took: Expense, /) -> None:
        """Do nothing."""
