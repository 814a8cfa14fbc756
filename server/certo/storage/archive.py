"""Every journal of this user, for whoever looks back; what a daemon does at the same time is left alone."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from certo.storage.database import UnusableDatabase, is_corrupt, open_database
from certo.storage.journal import Journal
from certo.storage.location import SET_ASIDE
from certo.storage.process_identity import is_over
from certo.storage.search_record import StoredSearch
from certo.vocabulary.errors import BrokenWorld

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Archive:
    """The journals in one folder. Each method raises BrokenWorld where one of them cannot be read or written now.

    One that is of no use, as it is damaged or of a newer certo, is left out, and `say` is told so once: the searches of
    other projects have nothing to do with it.
    """

    folder: Path
    say: Callable[[str], None]
    _left_out: set[Path] = field(default_factory=set, init=False)

    def searches(self) -> tuple[StoredSearch, ...]:
        """Every search there is, the newest first."""
        every = (search for found in self._each(Journal.searches) for search in found)
        return tuple(sorted(every, key=lambda search: (-search.began, search.id)))

    def find(self, search: str) -> tuple[StoredSearch, tuple[str, ...]] | None:
        """A search by its id, and its events as lines; None when there is none."""

        def look(journal: Journal) -> tuple[StoredSearch, tuple[str, ...]] | None:
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

    def forget(self, *searches: str) -> Mapping[str, int]:
        """Leave nothing of these; return how many things of each kind went with them."""

        def forget(journal: Journal) -> Mapping[str, int]:
            held = journal.holdings(*searches) if searches else {}
            for search in searches:
                if journal.search(search) is not None:
                    journal.forget(search)
            return held

        gone: Counter[str] = Counter()
        for held in self._each(forget):
            gone.update(held)
        return gone

    def forget_set_aside(self) -> int:
        """Remove the journals that were of no use and have another name since; how many there were."""
        files = [file for file in self.folder.glob(f"*{SET_ASIDE}*") if file.is_file()]
        for file in files:
            file.unlink(missing_ok=True)
        return sum(file.suffix == ".sqlite" for file in files)

    def _each(self, do: Callable[[Journal], Done]) -> Iterator[Done]:
        """What comes of doing something with one journal after the other."""
        for file in sorted(self.folder.glob("*.sqlite")):
            if SET_ASIDE in file.name or not file.stat().st_size:
                continue
            try:
                with closing(Journal(open_database(file))) as journal:
                    done = do(journal)
            except UnusableDatabase as unusable:
                self._leave_out(file, str(unusable))
                continue
            except (OSError, sqlite3.Error) as error:
                if isinstance(error, sqlite3.Error) and is_corrupt(error):
                    self._leave_out(file, f"it is damaged ({error})")
                    continue
                raise BrokenWorld(f"the journal {file} cannot be used: {error}; try again") from error
            yield done

    def _leave_out(self, file: Path, why: str) -> None:
        if file not in self._left_out:
            self._left_out.add(file)
            self.say(f"the journal {file} is left out: {why}; the next search of its project sets it aside")


def is_running(kept: StoredSearch) -> bool:
    """Whether a search runs now, in some process."""
    return not kept.outcome and not is_over(kept.life)
