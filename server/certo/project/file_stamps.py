"""The files of a project at one moment, so that it can be told later whether any of them has changed since."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import anyio

from certo.project.testfiles import is_skipped

MAX_FILES = 20_000
"""So many files are looked at; of a project with more, nothing is ever said to be unchanged."""

_AT_ONCE = 100
"""So many files of a directory are looked at before others have their turn."""

_PASSING = (".*.sw?", ".#*", "#*#", "*~")
"""What editors keep beside a file while it is open in them."""

Stamp = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """A stamp of each file: its path, size, number, and when it and what is said of it were changed, in nanoseconds.

    `whole` is false where there were too many.
    """

    stamps: frozenset[Stamp]
    whole: bool

    def are_as(self, before: Files) -> bool:
        """Whether nothing has changed since, as far as that is known."""
        return self.whole and before.whole and self.stamps == before.stamps


async def look_at_files(root: Path, *, apart_from: Path) -> Files:
    """Look at every file below `root` that a test may read, but one; others have their turn in between.

    Hidden directories, environments and what tools build are left out.
    """
    stamps: set[Stamp] = set()
    for place, directories, names in os.walk(root):
        await anyio.lowlevel.checkpoint()
        directories[:] = [name for name in directories if not is_skipped(Path(place, name))]
        for number, name in enumerate(names):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await anyio.lowlevel.checkpoint()
            path = os.path.join(place, name)
            if path != str(apart_from) and not any(fnmatch(name, pattern) for pattern in _PASSING):
                stamps.update(_stamped(path))
        if len(stamps) > MAX_FILES:
            return Files(stamps=frozenset(), whole=False)
    return Files(stamps=frozenset(stamps), whole=True)


def _stamped(path: str) -> tuple[Stamp, ...]:
    try:
        found = os.stat(path)
    except OSError:  # It is gone by now, or a link to nothing.
        return ()
    return ((path, found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns),)
