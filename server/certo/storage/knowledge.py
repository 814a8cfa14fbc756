"""Knowledge in a project's journal: outlines of files, claims with their evidence, and past tries."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple, TypeVar

from certo.vocabulary.knowledge import Claim, Listed, Outline, Outlined, PastAttempt, Quote
from certo.vocabulary.score import Score

log = logging.getLogger(__name__)

Made = TypeVar("Made")

MAX_CLAIMS = 200
"""Maximum number of claims about one project."""

MAX_CLAIM_BYTES = 64 * 1024
"""Maximum size of all claims about one project, as written."""

MAX_TRIES = 500
"""Maximum number of past tries that are read, the newest; older ones stay stored with their searches."""

AT_ONCE = 500
"""Maximum number of files per query; SQLite allows at least 999 parameters."""

_OUTLINE = "INSERT OR REPLACE INTO outline (path, size, changed, hash, line) VALUES (?, ?, ?, ?, ?)"
_RESTAMP = "UPDATE outline SET size = ?, changed = ? WHERE path = ?"
_CLAIM = (
    "INSERT INTO claim (key, search, quotes, line) "
    "SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?2)"
)
# Those with the least evidence go first, and of these the oldest.
_TRIM = """
    DELETE FROM claim WHERE number IN (
        SELECT number FROM (
            SELECT number, ROW_NUMBER() OVER ranked AS place, SUM(LENGTH(line)) OVER ranked AS size
            FROM claim WINDOW ranked AS (ORDER BY quotes DESC, number DESC)
        ) WHERE place > ? OR size > ?
    )
"""
_RECOLLECTION = (
    "INSERT OR REPLACE INTO recollection (search, characters, text) "
    "SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
)
# The last opinion on each candidate of each search, the latest of them last.
_OPINIONS = (
    "SELECT search, candidate, ruling, note FROM feedback "
    "WHERE number IN (SELECT MAX(number) FROM feedback GROUP BY search, candidate) ORDER BY number"
)
_TRY = (
    "INSERT INTO past_try (search, candidate, line) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
)


class Stamp(NamedTuple):
    """State of a file when it was outlined: size, time of change, and a hash of its bytes."""

    size: int
    changed: int
    hash: str

    def is_of(self, listed: Listed) -> bool:
        """True if the file is unchanged since, judged by size and time."""
        return (self.size, self.changed) == (listed.size, listed.changed)


class Learned:
    """The part of a journal that later searches learn from; changes are written when the journal commits.

    Every method that reads raises sqlite3.Error on failure.
    """

    def __init__(self, connection: sqlite3.Connection, put: Callable[[str, Sequence[object]], None]) -> None:
        self._connection = connection
        self._put = put

    def learn(self, claims: Iterable[Claim], *, instead_of: Iterable[str] = ()) -> None:
        """Add claims, replacing those with the same keys and those with the keys `instead_of`.

        If there are too many, or they are too long, those with the fewest quotations are dropped first, and of these
        the oldest.
        """
        told = {claim.key: claim for claim in claims}
        for key in {**told, **dict.fromkeys(instead_of)}:
            self._put("DELETE FROM claim WHERE key = ?", (key,))
        for claim in told.values():
            self._put(_CLAIM, (claim.key, claim.search, len(claim.quotes), json.dumps(asdict(claim))))
        if told:
            self._put(_TRIM, (MAX_CLAIMS, MAX_CLAIM_BYTES))

    def claims(self) -> tuple[Claim, ...]:
        """Return all claims, the newest first."""
        rows = self._connection.execute("SELECT line FROM claim ORDER BY number DESC").fetchall()
        return tuple(_readable(rows, _claim))

    def unlearn(self) -> None:
        """Delete all claims, outlines, tries, and texts that searches were given."""
        for table in ("claim", "outline", "past_try", "recollection"):
            self._put(f"DELETE FROM {table}", ())

    def outlined(self, files: Iterable[Outlined]) -> None:
        """Add files that were read; one whose bytes are unchanged keeps its outline."""
        for each in files:
            path, size, changed = each.listed.path, each.listed.size, each.listed.changed
            if each.outline is None:
                self._put(_RESTAMP, (size, changed, path))
            else:
                self._put(_OUTLINE, (path, size, changed, each.hash, json.dumps(asdict(each.outline))))

    def gone(self, paths: Iterable[str]) -> None:
        """Remove files that no longer exist."""
        for path in paths:
            self._put("DELETE FROM outline WHERE path = ?", (path,))

    def stamps(self, after: str = "", most: int = AT_ONCE) -> Mapping[str, Stamp]:
        """Return the stamps of outlined files by path, at most `most`, of paths after `after`."""
        wanted = "SELECT path, size, changed, hash FROM outline WHERE path > ? ORDER BY path LIMIT ?"
        return {path: Stamp(*stamp) for path, *stamp in self._connection.execute(wanted, (after, most)).fetchall()}

    def outlines(self, paths: Sequence[str]) -> Mapping[str, Outline]:
        """Return the known outlines of these files by path; at most AT_ONCE paths."""
        marks = ", ".join("?" * len(paths))
        rows = self._connection.execute(f"SELECT path, line FROM outline WHERE path IN ({marks})", tuple(paths))
        found = ((path, tuple(_readable([(line,)], Outline.from_fields))) for path, line in rows.fetchall())
        return {path: outline for path, outlines in found for outline in outlines}

    def recollect(self, search: str, characters: int, text: str) -> None:
        """Store the text that a search was given about its project, for this limit of characters."""
        self._put(_RECOLLECTION, (search, characters, text))

    def recollected(self, search: str, characters: int) -> str | None:
        """Return the text a search was given about its project, so that a resumed one gets the same; None if none."""
        asked = "SELECT text FROM recollection WHERE search = ? AND characters = ?"
        row = self._connection.execute(asked, (search, characters)).fetchone()
        return str(row[0]) if row else None

    def tried(self, past_try: PastAttempt) -> None:
        """Add a judged try."""
        self._put("DELETE FROM past_try WHERE search = ? AND candidate = ?", (past_try.search, past_try.candidate))
        self._put(_TRY, (past_try.search, past_try.candidate, json.dumps(asdict(past_try))))

    def tries(self) -> tuple[PastAttempt, ...]:
        """Return the newest tries of all searches, at most MAX_TRIES, the newest first."""
        rows = self._connection.execute("SELECT line FROM past_try ORDER BY number DESC LIMIT ?", (MAX_TRIES,))
        said = {(search, candidate): words for search, candidate, *words in self._connection.execute(_OPINIONS)}
        tries = _readable(rows.fetchall(), _past_try)
        # The user's opinion may come days after the verdict, and be withdrawn.
        return tuple(
            replace(each, ruling=ruling, note=note)
            for each in tries
            for ruling, note in [said.get((each.search, each.candidate), ("", ""))]
        )

    def rejected(self) -> Mapping[str, str]:
        """Return candidates of all searches that their users rejected and did not later accept, with the reasons."""
        last = {candidate: (ruling, note) for _, candidate, ruling, note in self._connection.execute(_OPINIONS)}
        return {candidate: note for candidate, (ruling, note) in last.items() if ruling == "rejected"}

    def turn_down(self, search: str, candidate: str) -> None:
        """Withdraw a candidate: that it solved its problem is no longer a lesson."""
        self._put("DELETE FROM claim WHERE key = ?", (f"candidate {search} {candidate}",))


def _readable(rows: Iterable[tuple[str]], make: Callable[[dict[str, Any]], Made]) -> Iterator[Made]:
    """Yield the values of lines; a damaged line, or one of another version, is skipped."""
    for (line,) in rows:
        try:
            yield make(json.loads(line))
        except (ValueError, TypeError, KeyError):
            log.debug("what was learned cannot be read: %s", line[:80])


def _claim(fields: dict[str, Any]) -> Claim:
    quotes = tuple(Quote(**quote) for quote in fields.pop("quotes"))
    return Claim(**fields, quotes=quotes)


def _past_try(fields: dict[str, Any]) -> PastAttempt:
    score = fields.pop("score")
    return PastAttempt(**fields, score=None if score is None else Score(**score))
