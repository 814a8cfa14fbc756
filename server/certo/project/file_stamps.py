"""Stamps of all files of a project, to detect later whether any has changed."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path

import anyio

from certo.project.testfiles import is_skipped
from certo.vocabulary.records import dataclass

MAX_FILES = 20_000
"""Maximum number of files; a project with more is never considered unchanged."""

_AT_ONCE = 100
"""Number of files of a directory that are examined before other tasks get a turn."""

_PASSING = (".*.sw?", ".#*", "#*#", "*~")
"""Patterns of temporary files that editors create beside an open file."""

Stamp = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Stamp of each file: path, size, inode, and times of change of data and metadata in nanoseconds.

    `whole` is False if there were too many files.
    """

    stamps: frozenset[Stamp]
    whole: bool

    def are_as(self, before: Files) -> bool:
        """True if nothing has changed since, as far as known."""
        return self.whole and before.whole and self.stamps == before.stamps


async def look_at_files(root: Path, *, apart_from: Path) -> Files:
    """Stamp every file below `root` that a test may read, except `apart_from`, yielding to other tasks.

    Hidden directories, environments and build output are left out.
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
