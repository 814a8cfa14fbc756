"""Where it is written what calls of models took and what was answered, before anything is made of the answers."""

from __future__ import annotations

from typing import Protocol

from certo.llm.ledger import Expense
from certo.llm.prompt import Reply


class Receipts(Protocol):
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
