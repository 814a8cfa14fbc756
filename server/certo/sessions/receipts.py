"""The receipts of one search in its project's journal: what models were paid for, and their answers once more."""

from __future__ import annotations

import json
import logging
import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable

from certo.llm.ledger import Expense
from certo.llm.prompt import Reply
from certo.llm.serialization import reply_as_json, reply_from_json
from certo.storage.journal import Journal
from certo.storage.paid_calls import PaidCall

log = logging.getLogger(__name__)


class JournalReceipts:
    """Writes calls to a journal, each before it is sent and its answer before anything is made of it.

    `before` are the calls of an earlier run of the search, whose answers are given again. `strange` is called once,
    when a question differs from all that were asked then while some of their answers are still to be given.
    """

    def __init__(
        self,
        journal: Journal,
        search: str,
        commit: Callable[[], Awaitable[None]],
        before: Iterable[PaidCall] = (),
        strange: Callable[[], None] = lambda: None,
    ) -> None:
        self._journal = journal
        self._search = search
        self._commit = commit
        self._calls: dict[str, PaidCall] = {}
        self._answers: dict[str, deque[Reply]] = defaultdict(deque)
        self._asked: set[str] = set()
        for call in before:
            self._asked.add(call.key)
            reply = reply_of(call)
            if reply is not None:
                self._answers[call.key].append(reply)
        self._strange = strange
        self._said = not self._answers

    def answered(self, key: str, /) -> Reply | None:
        """Return an answer of the previous run, each once, in the order in which they came; None if there is none."""
        if self._answers.get(key):
            return self._answers[key].popleft()
        # A question whose answer was lost, or was given already, is one that was asked. And once all answers are given,
        # the search is past its earlier run and every question is new.
        if not self._said and key not in self._asked and any(self._answers.values()):
            self._said = True
            self._strange()
        return None

    async def begin(self, key: str, least: Expense, /) -> str:
        """Write down that a call is sent; returns its mark when that is kept."""
        call = PaidCall(
            mark=secrets.token_hex(8), key=key, calls=least.calls, tokens=least.tokens, dollars=least.dollars
        )
        self._calls[call.mark] = call
        self._journal.paid.begin(self._search, call)
        await self._commit()
        return call.mark

    async def end(self, mark: str, took: Expense, reply: Reply, /) -> None:
        """Write down what a call took, and its answer; returns when both are kept."""
        self._settle(mark, took, json.dumps(reply_as_json(reply)))
        await self._commit()

    def fail(self, mark: str, took: Expense, /) -> None:
        """Write down, with what is told next, what a call took that had no answer."""
        if mark:
            self._settle(mark, took, None)

    def _settle(self, mark: str, took: Expense, reply: str | None) -> None:
        key = self._calls.pop(mark).key
        self._journal.paid.end(
            PaidCall(mark=mark, key=key, calls=took.calls, tokens=took.tokens, dollars=took.dollars, reply=reply)
        )


def expense_of(calls: Iterable[PaidCall]) -> Expense:
    """Return the sum of what these calls took."""
    return sum((Expense(calls=call.calls, tokens=call.tokens, dollars=call.dollars) for call in calls), start=Expense())


def reply_of(call: PaidCall) -> Reply | None:
    """Return the answer of a call, as far as it is kept and can be read."""
    try:
        return None if call.reply is None else reply_from_json(json.loads(call.reply))
    except ValueError:
        # Then it is asked for anew, which is what happens without it.
        log.warning("an answer that was paid for cannot be read: call %s", call.mark)
        return None
