"""One SQLite file: opened in WAL mode, migrated, and set aside if it is not a journal of ours."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
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
    (
        """
        CREATE TABLE remembered (
            key TEXT PRIMARY KEY,
            subject TEXT NOT NULL,
            kept REAL NOT NULL,
            line TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE INDEX remembered_subject ON remembered (subject)",
    ),
    (
        "CREATE TABLE mapped_run (id TEXT PRIMARY KEY, kept REAL NOT NULL, line TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE mapped_test (id TEXT PRIMARY KEY, run TEXT NOT NULL, line TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE mapped_file (path TEXT PRIMARY KEY, run TEXT NOT NULL) WITHOUT ROWID",
    ),
    ("CREATE TABLE pinned_test (id TEXT PRIMARY KEY, kept REAL NOT NULL, line TEXT NOT NULL) WITHOUT ROWID",),
    # A search may be of two functions, which earlier versions cannot read.
    (),
)
"""Schema migrations, each run once and in order. A released step never changes; new changes get a new step."""


class UnusableDatabase(Exception):
    """The file is no journal of this version; the message gives the reason in a few words."""

    then = "the next search of its project sets it aside and starts a new one"
    """What becomes of the file."""


class NewerDatabase(UnusableDatabase):
    """A later version of certo wrote the file, so this one leaves it alone."""

    then = "it is left as it is; update certo to use it"


def migrate(connection: sqlite3.Connection, root: str) -> None:
    """Run the missing migrations; an empty file becomes the journal of `root`.

    Raises:
        NewerDatabase: The file has migrations that this version does not know.
        sqlite3.Error: The file cannot be read or written, or is no database.
    """
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have taken them while this one waited for its turn.
        done = _version(connection)
        _refuse_newer(done)
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


def _refuse_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise NewerDatabase(f"a newer version of certo wrote it (format {version}, this one knows {len(MIGRATIONS)})")


def newer_database(file: Path) -> NewerDatabase | None:
    """Return why a journal is of no use to this version, if a later one has migrated it, also while it was open.

    The file is only read: a writer that is the last one to close it would move what stands in its log.
    """
    try:
        reader = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_SECONDS)
        with closing(reader):
            _refuse_newer(_version(reader))
    except NewerDatabase as newer:
        return newer
    except sqlite3.Error:
        return None  # opening it for writing says what is wrong
    return None


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


WAIT_SECONDS = 1.0
"""Maximum wait for a transaction of another process."""

HURRY_SECONDS = 0.005
"""The same while the whole daemon waits; the caller tries again after other tasks have had a turn."""

_SIDE_FILES = ("", "-wal", "-shm")
_NO_DATABASE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_OTHER_TABLES = ("no such table", "no such column", "already exists")
"""Error messages for a file whose tables do not match its version."""


def open_database(file: Path, root: Path | None = None) -> sqlite3.Connection:
    """Open the journal of a project, created if there is none; an existing one knows its root.

    A commit survives the death of this process, because the kernel then has the data; only a power failure may lose the
    last ones. Checkpoints run when no one waits for them, not between commits.

    Raises:
        UnusableDatabase: The file is corrupt, or a newer certo wrote it, which then is left as it is.
        OSError, sqlite3.Error: The file cannot be opened.
    """
    make_private(file)
    if file.with_name(f"{file.name}-wal").exists() and (newer := newer_database(file)) is not None:
        raise newer
    connection = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
    try:
        _refuse_newer(_version(connection))
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        migrate(connection, str(root or file))
    except NewerDatabase:
        connection.close()
        raise
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_corrupt(error):
            raise UnusableDatabase(f"it is damaged ({error})") from error
        raise
    return connection


def hurry(connection: sqlite3.Connection) -> None:
    """Make transactions fail soon if another process is writing."""
    connection.execute(f"PRAGMA busy_timeout = {round(HURRY_SECONDS * 1000)}")


def is_corrupt(error: sqlite3.Error) -> bool:
    """True if the error means that the file is no intact database, not just that it is unavailable now."""
    code = getattr(error, "sqlite_errorcode", None)
    # Extended codes have the code itself in their last eight bits.
    return (code is not None and code & 0xFF in _NO_DATABASE) or any(words in str(error) for words in _OTHER_TABLES)


def is_busy(error: sqlite3.Error) -> bool:
    """True if the error means that another process is writing now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def set_aside(file: Path) -> Path:
    """Rename an unusable journal together with its side files; return the new path.

    Raises:
        OSError: It cannot be renamed.
    """
    kept = file.with_name(
        f"{file.stem}{SET_ASIDE}{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1000:03}{file.suffix}"
    )
    for side in _SIDE_FILES:
        with suppress(FileNotFoundError):
            file.with_name(file.name + side).rename(kept.with_name(kept.name + side))
    return kept
