"""Paid calls of language models in a journal, so that no search pays for the same call twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from certo.vocabulary.records import dataclass

_BEGIN = (
    "INSERT INTO paid_call (mark, search, key, calls, tokens, dollars, ended, reply) "
    "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?2)"
)
_END = "UPDATE paid_call SET calls = ?, tokens = ?, dollars = ?, ended = 1, reply = ? WHERE mark = ?"
_WIPE = "UPDATE paid_call SET reply = NULL WHERE search = ?"
_CALLS = "SELECT mark, key, calls, tokens, dollars, ended, reply FROM paid_call WHERE search = ? ORDER BY number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidCall:
    """One call of a language model: a hash of the request, and its cost; `dollars` is None if unknown.

    `mark` identifies it. A call that has not `ended` was pending, and its cost is a minimum. `reply` is the answer as
    JSON, None if there was none or it is no longer kept.
    """

    mark: str
    key: str
    calls: int
    tokens: int
    dollars: float | None
    ended: bool = False
    reply: str | None = None


class PaidCalls:
    """The part of a journal that holds paid calls; changes are written when the journal commits.

    Every method that reads raises sqlite3.Error on failure.
    """

    def __init__(self, connection: sqlite3.Connection, put: Callable[[str, Sequence[object]], None]) -> None:
        self._connection = connection
        self._put = put

    def begin(self, search: str, call: PaidCall) -> None:
        """Add a call that is about to be sent."""
        ended = int(call.ended)
        self._put(_BEGIN, (call.mark, search, call.key, call.calls, call.tokens, call.dollars, ended, call.reply))

    def end(self, call: PaidCall) -> None:
        """Add the final cost of a call, and its answer if it has one."""
        self._put(_END, (call.calls, call.tokens, call.dollars, call.reply, call.mark))

    def wipe(self, search: str) -> None:
        """Delete the answers of a search; their costs stay."""
        self._put(_WIPE, (search,))

    def of(self, search: str) -> tuple[PaidCall, ...]:
        """Return the calls of a search in the order in which they were sent."""
        return tuple(
            PaidCall(mark=mark, key=key, calls=calls, tokens=tokens, dollars=dollars, ended=bool(ended), reply=reply)
            for mark, key, calls, tokens, dollars, ended, reply in self._connection.execute(_CALLS, (search,))
        )
