"""Results of runs on the project's own text in its journal: baselines, verdicts on that text, and the test map."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

MAX_REMEMBERED = 1000
"""Maximum number of results kept for exactly the same state of a project; the oldest go first."""

_KEEP = "INSERT OR REPLACE INTO remembered (key, subject, kept, line) VALUES (?, ?, ?, ?)"
_TRIM = "DELETE FROM remembered WHERE key IN (SELECT key FROM remembered ORDER BY kept DESC LIMIT -1 OFFSET ?)"

MAX_RUNS = 200
"""Maximum number of runs in the test map; the oldest go first, with the tests that no later run has reported."""

_RUN = "INSERT INTO mapped_run (id, kept, line) VALUES (?, ?, ?)"
_TEST = "INSERT OR REPLACE INTO mapped_test (id, run, line) VALUES (?, ?, ?)"
_FILE = "INSERT OR REPLACE INTO mapped_file (path, run) VALUES (?, ?)"
_TRIM_RUNS = (
    "DELETE FROM mapped_run WHERE id NOT IN (SELECT id FROM mapped_run ORDER BY kept DESC LIMIT ?) "
    "OR id NOT IN (SELECT run FROM mapped_test UNION SELECT run FROM mapped_file)"
)
_TRIM_REST = (
    "DELETE FROM mapped_test WHERE run NOT IN (SELECT id FROM mapped_run)",
    "DELETE FROM mapped_file WHERE run NOT IN (SELECT id FROM mapped_run)",
)


MAX_PINNED = 2000
"""Maximum number of tests that certo wrote and that are remembered as such; the oldest go first."""

_PIN = "INSERT OR REPLACE INTO pinned_test (id, kept, line) VALUES (?, ?, ?)"
_TRIM_PINS = "DELETE FROM pinned_test WHERE id IN (SELECT id FROM pinned_test ORDER BY kept DESC LIMIT -1 OFFSET ?)"


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

    def has_any(self) -> bool:
        """True if any result or any run of the test map is kept."""
        kept = "SELECT 1 FROM remembered UNION ALL SELECT 1 FROM mapped_run LIMIT 1"
        return self._connection.execute(kept).fetchone() is not None

    def map_run(self, line: str, tests: Mapping[str, str], files: Iterable[str]) -> None:
        """Add a run to the test map, with the lines of its tests by id, and the test files it ran as a whole."""
        run = uuid.uuid4().hex
        self._put(_RUN, (run, time.time(), line))
        for test, said in tests.items():
            self._put(_TEST, (test, run, said))
        for path in files:
            self._put(_FILE, (path, run))
        self._put(_TRIM_RUNS, (MAX_RUNS,))
        for statement in _TRIM_REST:
            self._put(statement, ())

    def mapped_runs(self) -> Mapping[str, str]:
        """Return the runs of the test map, by id."""
        return dict(self._connection.execute("SELECT id, line FROM mapped_run").fetchall())

    def mapped_tests(self) -> Iterator[tuple[str, str, str]]:
        """Yield the tests of the map, each with the id of its run and its line."""
        yield from self._connection.execute("SELECT id, run, line FROM mapped_test")

    def mapped_files(self) -> Mapping[str, str]:
        """Return the test files that were run as a whole, each with the id of that run."""
        return dict(self._connection.execute("SELECT path, run FROM mapped_file").fetchall())

    def pin(self, tests: Mapping[str, str]) -> None:
        """Remember tests that certo wrote, by what pytest calls them, each with a line about where it comes from."""
        for test, line in tests.items():
            self._put(_PIN, (test, time.time(), line))
        self._put(_TRIM_PINS, (MAX_PINNED,))

    def pinned(self) -> Mapping[str, str]:
        """Return the lines of the tests that certo wrote."""
        return dict(self._connection.execute("SELECT id, line FROM pinned_test").fetchall())

    def forget(self) -> None:
        """Delete all results; which tests certo wrote stays known, for no run could tell that again."""
        for table in ("remembered", "mapped_run", "mapped_test", "mapped_file"):
            self._put(f"DELETE FROM {table}", ())
