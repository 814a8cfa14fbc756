"""The journal's tables, as numbered steps from an empty file; SQLite's `user_version` says how many were taken."""

from __future__ import annotations

import sqlite3

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
