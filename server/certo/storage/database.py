"""One SQLite file: opened in WAL mode, brought up to date, and set aside when it is no journal of ours."""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from certo.storage.location import SET_ASIDE, make_private

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE project (root TEXT NOT NULL)",
        """
        CREATE TABLE search (
            id TEXT PRIMARY KEY,
            asked TEXT NOT NULL,
            began REAL NOT NULL,
            life TEXT NOT NULL,
            outcome TEXT NOT NULL DEFAULT '',
            standing TEXT NOT NULL DEFAULT 'open'
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE event (
            search TEXT NOT NULL,
            seq INTEGER NOT NULL,
            line TEXT NOT NULL,
            PRIMARY KEY (search, seq)
        ) WITHOUT ROWID
        """,
    ),
    ("CREATE TABLE exchange (number INTEGER PRIMARY KEY, search TEXT NOT NULL, line TEXT NOT NULL)",),
    (
        """
        CREATE TABLE feedback (
            number INTEGER PRIMARY KEY,
            search TEXT NOT NULL,
            candidate TEXT NOT NULL,
            ruling TEXT NOT NULL,
            note TEXT NOT NULL
        )
        """,
    ),
    (
        "CREATE TABLE verdict (key TEXT PRIMARY KEY, search TEXT NOT NULL, line TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX verdict_search ON verdict (search)",
    ),
    (
        """
        CREATE TABLE outline (
            path TEXT PRIMARY KEY,
            size INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            hash TEXT NOT NULL,
            line TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE claim (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            search TEXT NOT NULL,
            quotes INTEGER NOT NULL,
            line TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE past_try (
            number INTEGER PRIMARY KEY,
            search TEXT NOT NULL,
            candidate TEXT NOT NULL,
            line TEXT NOT NULL,
            UNIQUE (search, candidate)
        )
        """,
    ),
    (
        """
        CREATE TABLE recollection (
            search TEXT NOT NULL,
            characters INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (search, characters)
        ) WITHOUT ROWID
        """,
    ),
    (
        """
        CREATE TABLE paid_call (
            number INTEGER PRIMARY KEY,
            mark TEXT NOT NULL UNIQUE,
            search TEXT NOT NULL,
            key TEXT NOT NULL,
            calls INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            dollars REAL,
            ended INTEGER NOT NULL,
            reply TEXT
        )
        """,
        "CREATE INDEX paid_call_search ON paid_call (search)",
        "ALTER TABLE search ADD COLUMN world TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE search ADD COLUMN since INTEGER NOT NULL DEFAULT 0",
    ),
)
"""Each step is done once, in order, and never changed after it was released; what changes the tables is a new one."""


class Newer(Exception):
    """A later version of certo wrote the file; its number of steps is the message."""


def migrate(connection: sqlite3.Connection, root: str) -> None:
    """Take the steps that are missing; a file that is empty becomes the journal of `root`.

    Raises:
        Newer: the file has steps that this version does not know.
        sqlite3.Error: it cannot be read or written, or is no database.
    """
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have taken them while this one waited for its turn.
        done = _version(connection)
        if done > len(MIGRATIONS):
            raise Newer(str(done))
        for step in MIGRATIONS[done:]:
            for statement in step:
                connection.execute(statement)
        if done == 0:
            connection.execute("INSERT INTO project (root) VALUES (?)", (root,))
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


WAIT_SECONDS = 1.0
"""How long a transaction waits for that of another process."""

HURRY_SECONDS = 0.005
"""The same where the whole daemon waits with it; whoever hurries tries again when others have had their turn."""

_SIDE_FILES = ("", "-wal", "-shm")
_NO_DATABASE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_OTHER_TABLES = ("no such table", "no such column", "already exists")
"""What is said of a file whose tables are not those that its version has."""


class UnusableDatabase(Exception):
    """The file is no journal of this version; the message says why in a few words."""


def open_database(file: Path, root: Path | None = None) -> sqlite3.Connection:
    """Open the journal of a project, made when there is none; one that is there knows its root.

    A commit survives the death of this process, for it is in the kernel's hands then; only a machine that loses its
    power may lose the last ones. Checkpoints are made when nobody waits for them, not in the midst of commits.

    Raises:
        Unusable: it is corrupt, or a newer certo wrote it.
        OSError, sqlite3.Error: it cannot be opened.
    """
    make_private(file)
    connection = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        migrate(connection, str(root or file))
    except Newer as newer:
        connection.close()
        raise UnusableDatabase(f"a newer version of certo wrote it (format {newer})") from newer
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_corrupt(error):
            raise UnusableDatabase(f"it is damaged ({error})") from error
        raise
    return connection


def hurry(connection: sqlite3.Connection) -> None:
    """Let transactions fail soon where another process is writing."""
    connection.execute(f"PRAGMA busy_timeout = {round(HURRY_SECONDS * 1000)}")


def is_corrupt(error: sqlite3.Error) -> bool:
    """Whether it says that the file is no sound database, rather than that it cannot be used now."""
    code = getattr(error, "sqlite_errorcode", None)
    # Extended codes have the code itself in their last eight bits.
    return (code is not None and code & 0xFF in _NO_DATABASE) or any(words in str(error) for words in _OTHER_TABLES)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether it says that another process is writing now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def set_aside(file: Path) -> Path:
    """Give a journal that is of no use another name, with its side files; returns that name.

    Raises:
        OSError: it cannot be renamed.
    """
    kept = file.with_name(
        f"{file.stem}{SET_ASIDE}{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1000:03}{file.suffix}"
    )
    for side in _SIDE_FILES:
        with suppress(FileNotFoundError):
            file.with_name(file.name + side).rename(kept.with_name(kept.name + side))
    return kept
