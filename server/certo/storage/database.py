"""One SQLite file: opened in WAL mode, brought up to date, and set aside when it is no journal of ours."""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from certo.storage.migrations import Newer, migrate
from certo.storage.place import SET_ASIDE, make_private

WAIT_SECONDS = 1.0
"""How long a transaction waits for that of another process."""

HURRY_SECONDS = 0.005
"""The same where the whole daemon waits with it; whoever hurries tries again when others have had their turn."""

_SIDE_FILES = ("", "-wal", "-shm")
_NO_DATABASE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_OTHER_TABLES = ("no such table", "no such column", "already exists")
"""What is said of a file whose tables are not those that its version has."""


class Unusable(Exception):
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
        raise Unusable(f"a newer version of certo wrote it (format {newer})") from newer
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_corrupt(error):
            raise Unusable(f"it is damaged ({error})") from error
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
