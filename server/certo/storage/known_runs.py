"""Results of runs on the project's own text in its journal: baselines, and verdicts on functions as they stand."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence

MAX_REMEMBERED = 1000
"""Maximum number of results kept for exactly the same state of a project; the oldest go first."""

_KEEP = "INSERT OR REPLACE INTO remembered (key, subject, kept, line) VALUES (?, ?, ?, ?)"
_TRIM = "DELETE FROM remembered WHERE key IN (SELECT key FROM remembered ORDER BY kept DESC LIMIT -1 OFFSET ?)"


class KnownRuns:
    """The part of a journal about runs on the text as it is; changes are written when the journal commits.

    Every method that reads raises sqlite3.Error on failure.
    """

    def __init__(self, connection: sqlite3.Connection, put: Callable[[str, Sequence[object]], None]) -> None:
        self._connection = connection
        self._put = put

    def remember(self, key: str, subject: str, line: str) -> None:
        """Add a result about `subject` under the key of everything it depends on."""
        self._put(_KEEP, (key, subject, time.time(), line))
        self._put(_TRIM, (MAX_REMEMBERED,))

    def remembered(self, key: str) -> str | None:
        """Return the result under a key; None if there is none."""
        row = self._connection.execute("SELECT line FROM remembered WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def knows(self, subject: str) -> bool:
        """True if any result about `subject` is kept, in whatever state of the project."""
        return (
            self._connection.execute("SELECT 1 FROM remembered WHERE subject = ? LIMIT 1", (subject,)).fetchone()
            is not None
        )

    def forget(self) -> None:
        """Delete all of it."""
        self._put("DELETE FROM remembered", ())
