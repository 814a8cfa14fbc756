"""All journals of this user, for looking back; running daemons are not disturbed."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import field
from pathlib import Path
from typing import TypeVar

from certo.storage.database import UnusableDatabase, is_corrupt, open_database
from certo.storage.journal import Journal
from certo.storage.location import SET_ASIDE
from certo.storage.process_identity import is_over
from certo.storage.search_record import StoredSearch
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.records import dataclass

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Archive:
    """The journals in one folder. Each method raises BrokenWorld if one of them cannot be read or written now.

    A journal that is damaged or written by a newer certo is skipped and reported to `say` once, because searches of
    other projects do not depend on it.
    """

    folder: Path
    say: Callable[[str], None]
    _left_out: set[Path] = field(default_factory=set, init=False)

    def searches(self) -> tuple[StoredSearch, ...]:
        """Return every search, the newest first."""
        every = (search for found in self._each(Journal.searches) for search in found)
        return tuple(sorted(every, key=lambda search: (-search.began, search.id)))

    def find(self, search: str) -> tuple[StoredSearch, tuple[str, ...]] | None:
        """Return a search by its id with its events as lines; None if there is none."""

        def look(journal: Journal) -> tuple[StoredSearch, tuple[str, ...]] | None:
            kept = journal.search(search)
            return None if kept is None else (kept, tuple(journal.lines(search)))

        return next(filter(None, self._each(look)), None)

    def exchanges(self, search: str) -> tuple[str, ...]:
        """Return the prompts of a search and their outcomes, each a line of JSON."""
        return tuple(line for found in self._each(lambda journal: tuple(journal.exchanges(search))) for line in found)

    def accept(self, search: str) -> None:
        """Record that a candidate of a search is now in the user's files."""

        def accept(journal: Journal) -> None:
            if journal.search(search) is not None:
                journal.stand(search, "accepted")
                journal.commit()

        for _ in self._each(accept):
            pass

    def forget(self, *searches: str) -> Mapping[str, int]:
        """Delete the stored data of some searches, or of all; return the number of deleted things of each kind."""

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
        """Delete the journals that were set aside as unusable; return their number."""
        files = [file for file in self.folder.glob(f"*{SET_ASIDE}*") if file.is_file()]
        for file in files:
            file.unlink(missing_ok=True)
        return sum(file.suffix == ".sqlite" for file in files)

    def _each(self, do: Callable[[Journal], Done]) -> Iterator[Done]:
        """Yield the result of `do` for one journal after the other."""
        for file in sorted(self.folder.glob("*.sqlite")):
            if SET_ASIDE in file.name or not file.stat().st_size:
                continue
            try:
                with closing(Journal(open_database(file))) as journal:
                    done = do(journal)
            except UnusableDatabase as unusable:
                self._leave_out(file, unusable)
                continue
            except (OSError, sqlite3.Error) as error:
                if isinstance(error, sqlite3.Error) and is_corrupt(error):
                    self._leave_out(file, UnusableDatabase(f"it is damaged ({error})"))
                    continue
                raise BrokenWorld(f"the journal {file} cannot be used: {error}; try again") from error
            yield done

    def _leave_out(self, file: Path, why: UnusableDatabase) -> None:
        if file not in self._left_out:
            self._left_out.add(file)
            self.say(f"the journal {file} is left out: {why}; {why.then}")


def is_running(kept: StoredSearch) -> bool:
    """True if a search is running now, in any process."""
    return not kept.outcome and not is_over(kept.life)
