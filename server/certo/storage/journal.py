"""The journal of one project: events of its searches, written in one transaction per batch."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from certo.storage.knowledge import Learned
from certo.storage.known_runs import KnownRuns
from certo.storage.paid_calls import PaidCalls
from certo.storage.process_identity import own_life
from certo.storage.search_record import SearchRecord, StoredSearch
from certo.storage.serialization import line_of
from certo.vocabulary.events import CandidateDrafted, CandidateWritten, Event, SearchStopped
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.outcome import PAUSES

Standing = Literal["open", "ended", "accepted", "dismissed"]
"""State of a stored search: open for review, ended by its user, accepted (a candidate is in the text), or dismissed."""

OFFERED: tuple[Standing, ...] = ("open", "ended")
"""States in which a search may be reviewed again."""

DAY_SECONDS = 86_400

_BEGIN = "INSERT INTO search (id, asked, began, life) VALUES (?, ?, ?, ?)"
# An event of a search that another process has deleted meanwhile must not create it again.
_TELL = (
    "INSERT OR IGNORE INTO event (search, seq, line) "
    "SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
)
_EXCHANGE = "INSERT INTO exchange (search, line) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
_FEEDBACK = (
    "INSERT INTO feedback (search, candidate, ruling, note) "
    "SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
)
_REMEMBER = (
    "INSERT OR REPLACE INTO verdict (key, search, line) "
    "SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?2)"
)
_END = "UPDATE search SET outcome = ? WHERE id = ?"
_OF_A_SEARCH = ("event", "exchange", "feedback", "verdict", "claim", "past_try", "recollection", "paid_call")
"""Tables whose rows belong to a search and are deleted with it."""

_ERASE = (*(f"DELETE FROM {table} WHERE search = ?" for table in _OF_A_SEARCH), "DELETE FROM search WHERE id = ?")
_KINDS = {
    "lesson": "claim WHERE TRUE",
    "try": "past_try WHERE TRUE",
    "cached verdict": "verdict WHERE TRUE",
    "cached answer": "paid_call WHERE reply IS NOT NULL",
}
"""Rows counted before they are deleted, by the name of their kind."""

_STAND = "UPDATE search SET standing = ? WHERE id = ?"
_ADOPT = "UPDATE search SET life = ? WHERE id = ?"
_CLAIM = "UPDATE search SET life = ?1, outcome = '', standing = 'open' WHERE id = ?2 AND life = ?3 AND outcome = ?4"
_SEE = "UPDATE search SET world = ?, since = ? WHERE id = ?"
_KEPT = "SELECT id, root, asked, began, life, outcome, standing, world, since FROM search, project"

_Change = tuple[str, Sequence[object]]


class Journal:
    """Everything known of a project's searches, in one database.

    Changes are held until `commit`, which writes them all at once; a closed journal takes no more. `learned` holds
    knowledge for later searches, `paid` the paid model calls, `runs` results of runs on the text as it is. Every method
    that reads or writes the file raises sqlite3.Error on failure.
    """

    def __init__(self, connection: sqlite3.Connection, *, prompts: bool = False) -> None:
        """Write to an open database; with `prompts`, model conversations are stored too."""
        self._connection = connection
        self._prompts = prompts
        self._pending: list[_Change] = []
        self._closed = False
        self.learned = Learned(connection, self._put)
        self.paid = PaidCalls(connection, self._put)
        self.runs = KnownRuns(connection, self._put)

    @property
    def pending(self) -> bool:
        """True if some changes are not written yet."""
        return bool(self._pending)

    def begin(self, search: str, asked: SearchRecord) -> None:
        """Add a search that begins in this process."""
        self._put(_BEGIN, (search, asked.as_json(), time.time(), own_life()))

    def on_event(self, event: Event) -> None:
        """Add an event."""
        if isinstance(event, CandidateDrafted | CandidateWritten) and not self._prompts:
            return
        self._put(_TELL, (event.search, event.seq, line_of(event)))
        if isinstance(event, SearchStopped):
            self._put(_END, (event.outcome.name.lower().replace("_", "-"), event.search))
            if event.outcome not in PAUSES:
                self.paid.wipe(event.search)

    def exchange(self, search: str, line: str) -> None:
        """Add a prompt to a language model and its outcome, in the format of `search.record`."""
        self._put(_EXCHANGE, (search, line))

    def opinion(self, search: str, feedback: Feedback) -> None:
        """Add the user's opinion of a candidate."""
        self._put(_FEEDBACK, (search, feedback.candidate_id, feedback.ruling, feedback.note))
        if feedback.ruling in ("rejected", "undone"):
            self.learned.turn_down(search, feedback.candidate_id)

    def remember(self, search: str, key: str, line: str) -> None:
        """Add a verdict of a search under the key of everything it depends on; it is deleted with the search."""
        self._put(_REMEMBER, (key, search, line))

    def has_verdicts(self) -> bool:
        """True if any verdict of a search is stored."""
        return self._connection.execute("SELECT 1 FROM verdict LIMIT 1").fetchone() is not None

    def remembered(self, key: str) -> str | None:
        """Return the verdict stored under a key; None if there is none."""
        row = self._connection.execute("SELECT line FROM verdict WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def stand(self, search: str, standing: Standing) -> None:
        """Set the state of a search; answers of models are not kept once it is done with."""
        self._put(_STAND, (standing, search))
        if standing in ("accepted", "dismissed"):
            self.paid.wipe(search)

    def erase(self, search: str) -> None:
        """Delete a search with everything that it still reports later."""
        for statement in _ERASE:
            self._put(statement, (search,))

    def adopt(self, search: str) -> None:
        """Make this process the one that offers a search."""
        self._put(_ADOPT, (own_life(), search))

    def see(self, search: str, world: str, since: int = 0) -> None:
        """Store the fingerprint of a search's surroundings since the event of this number; see `StoredSearch`."""
        self._put(_SEE, (world, since, search))

    def claim(self, kept: StoredSearch) -> bool:
        """Take over a stopped search at once; return False if another process was faster."""
        return self._connection.execute(_CLAIM, (own_life(), kept.id, kept.life, kept.outcome)).rowcount == 1

    def commit(self) -> None:
        """Write all pending changes; on failure they stay pending."""
        if not self._pending:
            return
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for statement, values in self._pending:
                self._connection.execute(statement, values)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._pending.clear()

    def checkpoint(self) -> None:
        """Move written changes from the log into the file; waits for the disk."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def searches(self) -> tuple[StoredSearch, ...]:
        """Return every stored search in the order in which they began."""
        return tuple(map(_kept, self._connection.execute(f"{_KEPT} ORDER BY began, id")))

    def search(self, search: str) -> StoredSearch | None:
        """Return one search; None if it is not stored here."""
        row = self._connection.execute(f"{_KEPT} WHERE id = ?", (search,)).fetchone()
        return _kept(row) if row else None

    def lines(self, search: str) -> Iterator[str]:
        """Yield the events of a search in order, each as the line of JSON that clients received."""
        for (line,) in self._connection.execute("SELECT line FROM event WHERE search = ? ORDER BY seq", (search,)):
            yield line

    def exchanges(self, search: str) -> Iterator[str]:
        """Yield the prompts of a search and their outcomes, each a line of JSON."""
        for (line,) in self._connection.execute(
            "SELECT line FROM exchange WHERE search = ? ORDER BY number", (search,)
        ):
            yield line

    def opinions(self, search: str) -> Iterator[Feedback]:
        """Yield the user's opinions of a search's candidates, in order."""
        said = "SELECT candidate, ruling, note FROM feedback WHERE search = ? ORDER BY number"
        for candidate, ruling, note in self._connection.execute(said, (search,)):
            yield Feedback(candidate_id=candidate, ruling=ruling, note=note)

    def forget(self, search: str) -> None:
        """Delete a search from the file and its side files."""
        self._remove("id = ?", (search,))
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def holdings(self, *searches: str) -> Mapping[str, int]:
        """Return the number of lessons, tries, verdicts and answers stored, for some searches or for all."""
        which = f" AND search IN ({', '.join('?' * len(searches))})" if searches else ""
        return {
            kind: self._connection.execute(f"SELECT COUNT(*) FROM {rows}{which}", searches).fetchone()[0]
            for kind, rows in _KINDS.items()
        }

    def unlearn(self) -> None:
        """Delete all knowledge that searches draw upon, side files included; the searches stay."""
        self.learned.unlearn()
        self.runs.forget()
        self._put("DELETE FROM verdict", ())
        self._put("UPDATE paid_call SET reply = NULL", ())
        self.commit()
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def forget_before(self, days: float) -> None:
        """Delete searches that began more than `days` ago."""
        self._remove("began < ?", (time.time() - days * DAY_SECONDS,))

    def close(self) -> None:
        """Close the file; pending changes are lost."""
        self._closed = True
        self._connection.close()

    def _put(self, statement: str, values: Sequence[object]) -> None:
        if not self._closed:
            self._pending.append((statement, values))

    def _remove(self, which: str, values: Sequence[object]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for table in _OF_A_SEARCH:
                chosen = f"SELECT id FROM search WHERE {which}"
                self._connection.execute(f"DELETE FROM {table} WHERE search IN ({chosen})", values)
            self._connection.execute(f"DELETE FROM search WHERE {which}", values)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _kept(row: tuple[Any, ...]) -> StoredSearch:
    identity, root, asked, began, life, outcome, standing, world, since = row
    return StoredSearch(
        id=identity,
        root=root,
        asked=SearchRecord.from_json(asked),
        began=began,
        life=life,
        outcome=outcome,
        standing=standing,
        world=world,
        since=since,
    )
