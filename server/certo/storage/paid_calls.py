"""What a journal keeps of the calls of language models that were paid for, so that no search pays for one twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_BEGIN = (
    "INSERT INTO paid_call (mark, search, key, calls, tokens, dollars, ended, reply) "
    "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?2)"
)
_END = "UPDATE paid_call SET calls = ?, tokens = ?, dollars = ?, ended = 1, reply = ? WHERE mark = ?"
_WIPE = "UPDATE paid_call SET reply = NULL WHERE search = ?"
_CALLS = "SELECT mark, key, calls, tokens, dollars, ended, reply FROM paid_call WHERE search = ? ORDER BY number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidCall:
    """One call of a language model: a hash of all that was asked, and what it took; dollars are None if unknown.

    `mark` is its own name. One that has not `ended` was under way, and what it took is the least it can have taken.
    `reply` is its answer as JSON; None where there was none, or it is not kept any more.
    """

    mark: str
    key: str
    calls: int
    tokens: int
    dollars: float | None
    ended: bool = False
    reply: str | None = None


class PaidCalls:
    """The part of a journal that knows what models were paid for; what is told is written when the journal commits.

    Every method that reads raises sqlite3.Error when it cannot.
    """

    def __init__(self, connection: sqlite3.Connection, put: Callable[[str, Sequence[object]], None]) -> None:
        self._connection = connection
        self._put = put

    def begin(self, search: str, call: PaidCall) -> None:
        """Tell of a call that is about to be sent."""
        ended = int(call.ended)
        self._put(_BEGIN, (call.mark, search, call.key, call.calls, call.tokens, call.dollars, ended, call.reply))

    def end(self, call: PaidCall) -> None:
        """Tell what a call took in the end, and its answer if it has one."""
        self._put(_END, (call.calls, call.tokens, call.dollars, call.reply, call.mark))

    def wipe(self, search: str) -> None:
        """Tell that no answer of a search is to be left; what was paid for them is."""
        self._put(_WIPE, (search,))

    def of(self, search: str) -> tuple[PaidCall, ...]:
        """The calls of a search, in the order in which they were sent."""
        return tuple(
            PaidCall(mark=mark, key=key, calls=calls, tokens=tokens, dollars=dollars, ended=bool(ended), reply=reply)
            for mark, key, calls, tokens, dollars, ended, reply in self._connection.execute(_CALLS, (search,))
        )
