"""What a project's journal keeps to learn from: outlines of files, claims with their evidence, and past tries."""

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
"""So many claims about one project are kept."""

MAX_CLAIM_BYTES = 64 * 1024
"""How much all claims about one project take, as they are written."""

MAX_TRIES = 500
"""So many past tries are looked through, the newest; older ones are kept with their searches and not looked at."""

AT_ONCE = 500
"""So many files are asked about together; SQLite takes 999 values at the least."""

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
# The last word on each candidate of each search, the latest of them last.
_OPINIONS = (
    "SELECT search, candidate, ruling, note FROM feedback "
    "WHERE number IN (SELECT MAX(number) FROM feedback GROUP BY search, candidate) ORDER BY number"
)
_TRY = (
    "INSERT INTO past_try (search, candidate, line) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM search WHERE id = ?1)"
)


class Stamp(NamedTuple):
    """A file when it was outlined: its size, when it was changed, and a hash of its bytes."""

    size: int
    changed: int
    hash: str

    def is_of(self, listed: Listed) -> bool:
        """Whether a file has not been touched since."""
        return (self.size, self.changed) == (listed.size, listed.changed)


class Learned:
    """The part of a journal that later searches learn from; what is told is written when the journal commits.

    Every method that reads raises sqlite3.Error when it cannot.
    """

    def __init__(self, connection: sqlite3.Connection, put: Callable[[str, Sequence[object]], None]) -> None:
        self._connection = connection
        self._put = put

    def learn(self, claims: Iterable[Claim], *, instead_of: Iterable[str] = ()) -> None:
        """Tell of claims, in the place of those with the same keys and those with the keys `instead_of`.

        Where there are too many then, or they are too long, some are dropped: those with the fewest quotations first,
        and of these the oldest.
        """
        told = {claim.key: claim for claim in claims}
        for key in {**told, **dict.fromkeys(instead_of)}:
            self._put("DELETE FROM claim WHERE key = ?", (key,))
        for claim in told.values():
            self._put(_CLAIM, (claim.key, claim.search, len(claim.quotes), json.dumps(asdict(claim))))
        if told:
            self._put(_TRIM, (MAX_CLAIMS, MAX_CLAIM_BYTES))

    def claims(self) -> tuple[Claim, ...]:
        """Everything that was learned, the newest first."""
        rows = self._connection.execute("SELECT line FROM claim ORDER BY number DESC").fetchall()
        return tuple(_readable(rows, _claim))

    def unlearn(self) -> None:
        """Tell that nothing that was learned is to be left, nor an outline, a try, or what a search was told of it."""
        for table in ("claim", "outline", "past_try", "recollection"):
            self._put(f"DELETE FROM {table}", ())

    def outlined(self, files: Iterable[Outlined]) -> None:
        """Tell of files that were read; one whose bytes are as before keeps its outline."""
        for each in files:
            path, size, changed = each.listed.path, each.listed.size, each.listed.changed
            if each.outline is None:
                self._put(_RESTAMP, (size, changed, path))
            else:
                self._put(_OUTLINE, (path, size, changed, each.hash, json.dumps(asdict(each.outline))))

    def gone(self, paths: Iterable[str]) -> None:
        """Tell of files that are there no more."""
        for path in paths:
            self._put("DELETE FROM outline WHERE path = ?", (path,))

    def stamps(self, after: str = "", most: int = AT_ONCE) -> Mapping[str, Stamp]:
        """The files that were outlined, by path, as they were then: so many at most, those that come `after` a path."""
        wanted = "SELECT path, size, changed, hash FROM outline WHERE path > ? ORDER BY path LIMIT ?"
        return {path: Stamp(*stamp) for path, *stamp in self._connection.execute(wanted, (after, most)).fetchall()}

    def outlines(self, paths: Sequence[str]) -> Mapping[str, Outline]:
        """The outlines of these files, by path, as far as there are any; they are AT_ONCE at most."""
        marks = ", ".join("?" * len(paths))
        rows = self._connection.execute(f"SELECT path, line FROM outline WHERE path IN ({marks})", tuple(paths))
        found = ((path, tuple(_readable([(line,)], Outline.from_fields))) for path, line in rows.fetchall())
        return {path: outline for path, outlines in found for outline in outlines}

    def recollect(self, search: str, characters: int, text: str) -> None:
        """Tell what a search was told of its project, within so many characters."""
        self._put(_RECOLLECTION, (search, characters, text))

    def recollected(self, search: str, characters: int) -> str | None:
        """What a search was told of its project, to be told the same when it goes on; None if it was not yet."""
        asked = "SELECT text FROM recollection WHERE search = ? AND characters = ?"
        row = self._connection.execute(asked, (search, characters)).fetchone()
        return str(row[0]) if row else None

    def tried(self, past_try: PastAttempt) -> None:
        """Tell of a try that was judged."""
        self._put("DELETE FROM past_try WHERE search = ? AND candidate = ?", (past_try.search, past_try.candidate))
        self._put(_TRY, (past_try.search, past_try.candidate, json.dumps(asdict(past_try))))

    def tries(self) -> tuple[PastAttempt, ...]:
        """The newest tries of all searches, at most MOST_TRIES, the newest first."""
        rows = self._connection.execute("SELECT line FROM past_try ORDER BY number DESC LIMIT ?", (MAX_TRIES,))
        said = {(search, candidate): words for search, candidate, *words in self._connection.execute(_OPINIONS)}
        tries = _readable(rows.fetchall(), _past_try)
        # What its user says of a candidate may come days after it was judged, and be taken back.
        return tuple(
            replace(each, ruling=ruling, note=note)
            for each in tries
            for ruling, note in [said.get((each.search, each.candidate), ("", ""))]
        )

    def rejected(self) -> Mapping[str, str]:
        """The candidates of all searches that their users rejected, and never took after that, with the reasons."""
        last = {candidate: (ruling, note) for _, candidate, ruling, note in self._connection.execute(_OPINIONS)}
        return {candidate: note for candidate, (ruling, note) in last.items() if ruling == "rejected"}

    def turn_down(self, search: str, candidate: str) -> None:
        """Tell that a candidate was turned down: that it solved anything is no lesson any more."""
        self._put("DELETE FROM claim WHERE key = ?", (f"candidate {search} {candidate}",))


def _readable(rows: Iterable[tuple[str]], make: Callable[[dict[str, Any]], Made]) -> Iterator[Made]:
    """What lines stand for; one that is damaged, or that another version of certo wrote, teaches nothing."""
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
