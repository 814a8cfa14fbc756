"""A model wrapper that sends only calls covered by the search's budget."""

from __future__ import annotations

import math
from collections.abc import Callable

import anyio

from certo.llm.ledger import Expense, Ledger, NoReceipts, PaidCallLog
from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import (
    BYTES_PER_TOKEN,
    Delta,
    Prompt,
    Reply,
    Usage,
    is_worth_caching,
    tokens_of_prompt,
    tokens_of_text,
)
from certo.llm.serialization import content_key
from certo.llm.wrappers.prices import Price
from certo.vocabulary.errors import ModelFailed


class Budgeted:
    """A ChatModel that reserves each call in a search's ledger before it is sent, and settles it afterwards.

    A call costs what the server reports. If it reports nothing, or the call was cancelled, the cost is estimated from
    the text sent and received; a call rejected at once costs no tokens. With `receipts` the same is stored durably, and
    answers already paid for are returned from there; the ledger has counted those already.
    """

    def __init__(
        self, model: ChatModel, ledger: Ledger, price: Price | None, receipts: PaidCallLog | None = None
    ) -> None:
        self._model = model
        self._ledger = ledger
        self._price = price
        self._receipts = receipts or NoReceipts()

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the stored answer if one was paid for; otherwise ask if the budget allows.

        Raises:
            BudgetExhausted: It does not; nothing was sent.
        """
        key = content_key(self.name, prompt)
        kept = self._receipts.answered(key)
        if kept is not None:
            await anyio.lowlevel.checkpoint()
            if kept.text:
                heard(Delta(text=kept.text, at=0))
            return kept
        entry = await self._ledger.reserve(most_of(prompt, self._price), self.name)
        written, took = 0, Expense()
        mark, reply = "", None

        def listen(delta: Delta) -> None:
            nonlocal written
            written = delta.at + len(delta.text)
            heard(delta)

        try:
            mark = await self._receipts.begin(key, self._guess(prompt, 0))
            took = self._guess(prompt, 0)
            reply = await self._model.answer(prompt, heard=listen)
            took = self._took(reply, prompt)
        except ModelFailed as failed:
            took = self._guess(prompt, written) if failed.received else Expense(calls=1)
            raise
        except BaseException:
            took = self._guess(prompt, written) if took.calls else took
            raise
        finally:
            entry.settle(took)
            if reply is None:
                self._receipts.fail(mark, took)
        await self._receipts.end(mark, took, reply)
        return reply

    def _took(self, reply: Reply, prompt: Prompt) -> Expense:
        usage = reply.usage or _estimate(prompt, tokens_of_text(reply.text))
        dollars = reply.dollars
        if dollars is None and self._price is not None:
            dollars = self._price.of(usage)
        tokens = usage.input_tokens + usage.output_tokens
        return Expense(calls=reply.calls, tokens=tokens, dollars=dollars, cached_tokens=usage.cached_tokens)

    def _guess(self, prompt: Prompt, written: int) -> Expense:
        """Return the estimated cost of an unfinished call after `written` bytes of answer."""
        usage = _estimate(prompt, math.ceil(written / BYTES_PER_TOKEN))
        dollars = self._price.of(usage) if self._price is not None else None
        return Expense(calls=1, tokens=usage.input_tokens + usage.output_tokens, dollars=dollars)


def most_of(prompt: Prompt, price: Price | None) -> Expense:
    """Return the maximum cost of one call, estimated from the length of the prompt, which a cache may have to store."""
    tokens = tokens_of_prompt(prompt)
    stored = tokens if is_worth_caching(prompt) else 0
    usage = Usage(input_tokens=tokens, output_tokens=prompt.sampling.max_tokens, stored_tokens=stored)
    dollars = price.of(usage) if price is not None else None
    return Expense(calls=1, tokens=usage.input_tokens + usage.output_tokens, dollars=dollars)


def _estimate(prompt: Prompt, written: int) -> Usage:
    return Usage(input_tokens=tokens_of_prompt(prompt), output_tokens=written)
