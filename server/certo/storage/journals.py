"""All journals of one process, opened on demand; an unusable one is given up with one message."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import anyio

from certo.storage.database import (
    NewerDatabase,
    UnusableDatabase,
    hurry,
    is_busy,
    is_corrupt,
    newer_database,
    open_database,
    set_aside,
)
from certo.storage.journal import DAY_SECONDS, OFFERED, Journal
from certo.storage.location import journal_file
from certo.storage.options import JournalOptions
from certo.storage.process_identity import is_over
from certo.storage.search_record import StoredSearch
from certo.vocabulary.guidance import Feedback

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0
"""Maximum wait for another process to finish writing; then the journal is given up."""

_AGAIN_SECONDS = 0.01


class Journals:
    """The journals of the projects this process works in.

    Nothing here raises if a file is damaged, full or unavailable: searches go on without a journal, and `say` gets each
    message for the user only once.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        self._said: set[str] = set()
        self._open: dict[Path, Journal] = {}
        self._asked_for: set[Path] = set()

    def of(self, root: Path, options: JournalOptions) -> Journal | None:
        """Return the journal of a project; None if it is disabled or unavailable."""
        if not options.enabled:
            return None
        file = self._file(root)
        if file not in self._open:
            try:
                self._open[file] = self._opened(file, root, options)
            except NewerDatabase as newer:
                self._leave(file, newer)
                return None
            except (OSError, sqlite3.Error) as error:
                self._give_up(file, error)
                return None
        return self._open[file]

    def known(self, root: Path) -> bool:
        """True if a project has a journal, open or left by an earlier process."""
        file = self._file(root)
        return file in self._open or file.exists()

    def left(self, root: Path, options: JournalOptions, *, days: float) -> tuple[StoredSearch, ...]:
        """Return the searches left by dead processes that began in the last `days`, oldest first.

        Only the first request for a project gets them.
        """
        file = self._file(root)
        if not options.enabled or file in self._asked_for or not self.known(root):
            return ()
        self._asked_for.add(file)
        journal = self.of(root, options)
        try:
            kept = journal.searches() if journal is not None else ()
        except sqlite3.Error as error:
            self._give_up(file, error)
            return ()
        oldest = time.time() - days * DAY_SECONDS
        return tuple(
            search for search in kept if search.standing in OFFERED and search.began > oldest and is_over(search.life)
        )

    def lines(self, root: Path, search: str) -> tuple[str, ...]:
        """Return the events of a search as lines; none if they cannot be read."""
        file = self._file(root)
        try:
            return tuple(self._open[file].lines(search)) if file in self._open else ()
        except sqlite3.Error as error:
            self._give_up(file, error)
            return ()

    def opinions(self, root: Path, search: str) -> tuple[Feedback, ...]:
        """Return the user's opinions of a search's candidates; none if they cannot be read."""
        file = self._file(root)
        try:
            return tuple(self._open[file].opinions(search)) if file in self._open else ()
        except sqlite3.Error as error:
            self._give_up(file, error)
            return ()

    def close(self) -> None:
        """Write everything and close all files."""
        for file, journal in tuple(self._open.items()):
            try:
                journal.commit()
            except sqlite3.Error as error:
                self._give_up(file, error)
            else:
                journal.close()
        self._open.clear()

    async def commit(self) -> None:
        """Write pending changes to every file, waiting for other writers."""
        for file, journal in tuple(self._open.items()):
            try:
                await _committed(journal)
            except sqlite3.Error as error:
                self._give_up(file, error)

    def checkpoint(self) -> None:
        """Checkpoint every file while nothing is running."""
        for file, journal in tuple(self._open.items()):
            try:
                journal.checkpoint()
            except sqlite3.Error as error:
                if not is_busy(error):
                    self._give_up(file, error)

    def _file(self, root: Path) -> Path:
        """Return the file of a project, the same for every spelling of its root."""
        return journal_file(self._folder, root.resolve())

    def _opened(self, file: Path, root: Path, options: JournalOptions) -> Journal:
        try:
            return _ready(file, root, options)
        except NewerDatabase:
            raise
        except UnusableDatabase as unusable:
            self._set_aside(file, str(unusable))
            return _ready(file, root, options)

    def _give_up(self, file: Path, error: Exception) -> None:
        """Do without a journal until the next search of its project begins."""
        journal = self._open.pop(file, None)
        if journal is not None:
            journal.close()
        if isinstance(error, sqlite3.Error) and is_corrupt(error):
            # Tables that are not as expected are no damage if a later version migrated them under the open journal.
            if (newer := newer_database(file)) is not None:
                self._leave(file, newer)
                return
            try:
                self._set_aside(file, f"it is damaged ({error})")
                return
            except OSError as refused:
                error = refused
        log.warning("the journal %s is given up: %s", file, error)
        self._once(f"cannot keep a journal in {file}: {error}. Searches go on, but a restart will not know of them")

    def _leave(self, file: Path, newer: NewerDatabase) -> None:
        self._once(f"the journal {file} cannot be used: {newer}. Searches go on without one; {newer.then}")

    def _set_aside(self, file: Path, why: str) -> None:
        kept = set_aside(file)
        self._once(f"the journal of earlier searches cannot be used: {why}. It is kept as {kept}, and a new one begun")

    def _once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)


def _ready(file: Path, root: Path, options: JournalOptions) -> Journal:
    """Return an open journal without expired searches.

    Raises:
        UnusableDatabase: The file is corrupt, or a newer certo wrote it.
        OSError, sqlite3.Error: The file cannot be opened.
    """
    connection = open_database(file, root)
    journal = Journal(connection, prompts=options.prompts)
    try:
        journal.forget_before(options.days)
        hurry(connection)
    except sqlite3.Error as error:
        journal.close()
        if is_corrupt(error):
            raise UnusableDatabase(f"it is damaged ({error})") from error
        raise
    return journal


async def _committed(journal: Journal) -> None:
    """Commit, retrying while another process is writing.

    Raises:
        sqlite3.Error: It failed, or the other process took too long.
    """
    given_up = anyio.current_time() + PATIENCE_SECONDS
    while True:
        try:
            journal.commit()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or anyio.current_time() > given_up:
                raise
        else:
            return
        await anyio.sleep(_AGAIN_SECONDS)
