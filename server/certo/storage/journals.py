"""All journals of one process: opened when they are wanted, given up with one sentence when they cannot be had."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio

from certo.storage.database import Unusable, is_busy, is_corrupt, open_database, set_aside
from certo.storage.journal import Journal
from certo.storage.options import JournalOptions
from certo.storage.place import journal_file

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0
"""How long the journal waits for another process to have written; then it does without."""

_AGAIN_SECONDS = 0.01


@dataclass(slots=True)
class _Open:
    """A journal that is open, with its file."""

    file: Path
    journal: Journal


class Journals:
    """The journals of the projects this process works in.

    Nothing here raises when a file is damaged, full, or not to be had: the searches go on without, and `say` gets a
    sentence for the user, each only once.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        self._said: set[str] = set()
        self._open: dict[Path, _Open] = {}

    def of(self, root: Path, options: JournalOptions) -> Journal | None:
        """The journal of a project; None where it is not wanted, or cannot be had."""
        if not options.enabled:
            return None
        if root not in self._open:
            file = journal_file(self._folder, root)
            try:
                journal = self._opened(file, root, options)
            except (OSError, sqlite3.Error) as error:
                self._give_up(root, file, error)
                return None
            self._open[root] = _Open(file, journal)
        return self._open[root].journal

    def known(self, root: Path) -> bool:
        """Whether there is a journal of a project, in use or left by a process before this one."""
        return root in self._open or journal_file(self._folder, root).exists()

    def close(self) -> None:
        """Write everything and let go of all files."""
        for root, opened in tuple(self._open.items()):
            try:
                opened.journal.commit()
            except sqlite3.Error as error:
                self._give_up(root, opened.file, error)
            else:
                opened.journal.close()
        self._open.clear()

    async def commit(self) -> None:
        """Write what was told, to every file; what another process is writing to is waited for."""
        for root, opened in tuple(self._open.items()):
            try:
                await _committed(opened.journal)
            except sqlite3.Error as error:
                self._give_up(root, opened.file, error)

    def checkpoint(self) -> None:
        """Put every file in order, when nothing is running."""
        for root, opened in tuple(self._open.items()):
            try:
                opened.journal.checkpoint()
            except sqlite3.Error as error:
                if not is_busy(error):
                    self._give_up(root, opened.file, error)

    def _opened(self, file: Path, root: Path, options: JournalOptions) -> Journal:
        try:
            connection = open_database(file, root)
        except Unusable as unusable:
            self._once(f"set the journal of {root} aside: {unusable}. It is kept as {set_aside(file)}")
            connection = open_database(file, root)
        journal = Journal(connection, drafts=options.prompts)
        journal.forget_before(options.days)
        return journal

    def _give_up(self, root: Path, file: Path, error: Exception) -> None:
        """Do without a journal until the next search of its project begins."""
        opened = self._open.pop(root, None)
        if opened is not None:
            opened.journal.close()
        if isinstance(error, sqlite3.Error) and is_corrupt(error):
            try:
                self._once(f"set the journal of {root} aside: it is damaged ({error}). It is kept as {set_aside(file)}")
                return
            except OSError as refused:
                error = refused
        log.warning("the journal %s is given up: %s", file, error)
        self._once(f"cannot keep a journal in {file}: {error}. Searches go on, but a restart will not know of them")

    def _once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)


async def _committed(journal: Journal) -> None:
    """Commit, again and again while another process is at it.

    Raises:
        sqlite3.Error: it cannot be done, or the other took too long.
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
