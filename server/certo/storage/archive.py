"""Every journal of this user, for whoever looks back; what a daemon does at the same time is left alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from certo.storage.asked import Kept
from certo.storage.database import Unusable, open_database
from certo.storage.journal import Journal
from certo.storage.lives import is_over
from certo.storage.place import SET_ASIDE
from certo.vocabulary.errors import BrokenWorld

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Archive:
    """The journals in one folder. Each method raises BrokenWorld where one of them cannot be read or written."""

    folder: Path

    def searches(self) -> tuple[Kept, ...]:
        """Every search there is, the newest first."""
        every = (search for found in self._each(Journal.searches) for search in found)
        return tuple(sorted(every, key=lambda search: (-search.began, search.id)))

    def find(self, search: str) -> tuple[Kept, tuple[str, ...]] | None:
        """A search by its id, and its events as lines; None when there is none."""

        def look(journal: Journal) -> tuple[Kept, tuple[str, ...]] | None:
            kept = journal.search(search)
            return None if kept is None else (kept, tuple(journal.lines(search)))

        return next(filter(None, self._each(look)), None)

    def exchanges(self, search: str) -> tuple[str, ...]:
        """What was asked of language models in a search and how it ended, each a line of JSON."""
        return tuple(line for found in self._each(lambda journal: tuple(journal.exchanges(search))) for line in found)

    def accept(self, search: str) -> None:
        """Keep that a candidate of a search is in the user's files now."""

        def accept(journal: Journal) -> None:
            if journal.search(search) is not None:
                journal.stand(search, "accepted")
                journal.commit()

        for _ in self._each(accept):
            pass

    def forget(self, *searches: str) -> None:
        """Leave nothing of these."""

        def forget(journal: Journal) -> None:
            for search in searches:
                if journal.search(search) is not None:
                    journal.forget(search)

        for _ in self._each(forget):
            pass

    def _each(self, do: Callable[[Journal], Done]) -> Iterator[Done]:
        """What comes of doing something with one journal after the other."""
        for file in sorted(self.folder.glob("*.sqlite")):
            if SET_ASIDE in file.name or not file.stat().st_size:
                continue
            try:
                with closing(Journal(open_database(file))) as journal:
                    done = do(journal)
            except Unusable as unusable:
                raise BrokenWorld(
                    f"the journal {file} cannot be used: {unusable}; the next search sets it aside"
                ) from unusable
            except (OSError, sqlite3.Error) as error:
                raise BrokenWorld(f"the journal {file} cannot be used: {error}; try again") from error
            yield done


def is_running(kept: Kept) -> bool:
    """Whether a search runs now, in some process."""
    return not kept.outcome and not is_over(kept.life)
