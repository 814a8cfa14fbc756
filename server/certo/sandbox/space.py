"""How much a run keeps on the disk, seen by looking: the kernel limits each of its files, but not all together."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import anyio

from certo.sandbox.holding import held_by

MOST_FILES = 50_000
"""How many files and directories a run may have at once. As memory, the kernel keeps about a KiB for each."""

_BETWEEN_SECONDS = 0.1
_HELD_EACH = 3
"""At every which look at the files those are counted besides that have no name any more, which takes longer."""

_AT_ONCE = 200
_PAUSE_SECONDS = 0.01
"""After so many files, which takes a few ms at most, whoever else runs in this process has a turn."""

_MEBIBYTE = 1 << 20


def no_processes() -> Iterable[int]:
    """Return no process: what is deleted and still open is not asked about."""
    return ()


async def until_full(
    scratch: Path, *, files: int, mebibytes: int, processes: Callable[[], Iterable[int]] = no_processes
) -> None:
    """Return when a run keeps more files, or more in them, than it may.

    Counted are those directories of `scratch` that a run may write to, and on Linux what its `processes` have deleted
    and still hold open. Where it keeps something that cannot be counted, in a directory that is closed to us, too deep
    for a path, or on its way through a socket, it may keep that while the disk has not lost more than the same amount.
    """
    free = _free(scratch)
    for number in count(1):
        await anyio.sleep(_BETWEEN_SECONDS)
        found = _Found(most_files=files, most_bytes=mebibytes * _MEBIBYTE)
        await _look(found, (scratch / "home", scratch / "tmp"))
        if not found.is_too_much and number % _HELD_EACH == 0:
            held = held_by(processes())
            found.add(len(held.sizes), sum(held.sizes.values()))
            found.uncounted |= held.uncounted
        if found.is_too_much or (found.uncounted and found.is_lost(free, _free(scratch))):
            return


@dataclass(slots=True, kw_only=True)
class _Found:
    """What has been counted, and the most it may be; `uncounted` says that there is more."""

    most_files: int
    most_bytes: int
    files: int = 0
    used: int = 0
    uncounted: bool = field(default=False)

    @property
    def is_too_much(self) -> bool:
        return self.files > self.most_files or self.used > self.most_bytes

    def add(self, files: int, used: int) -> None:
        self.files += files
        self.used += used

    def is_lost(self, before: tuple[int, int], now: tuple[int, int]) -> bool:
        """True if the disk has lost more than may be used: free bytes and free files, `before` and `now`."""
        return before[0] - now[0] > self.most_bytes or before[1] - now[1] > self.most_files


def _free(place: Path) -> tuple[int, int]:
    if sys.platform == "win32":
        return 0, 0
    try:
        about = os.statvfs(place)
    except OSError:
        return 0, 0
    return about.f_bfree * about.f_frsize, about.f_ffree


async def _look(found: _Found, places: tuple[Path, ...]) -> None:
    for place in places:
        with closing(_below(str(place), found)) as entries:
            for entry in entries:
                found.add(1, _bytes_of(entry))
                # Whoever fills the disk would keep us looking as well.
                if found.is_too_much:
                    return
                if found.files % _AT_ONCE == 0:
                    await anyio.sleep(_PAUSE_SECONDS)


def _below(place: str, found: _Found) -> Generator[os.DirEntry[str], None, None]:
    """All there is below a place, each directory's own entries before those of its directories."""
    waiting = [place]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            # Where it is not gone already it is closed to us, or deeper than a path can be.
            found.uncounted |= error.errno not in (errno.ENOENT, errno.ENOTDIR)


def _bytes_of(entry: os.DirEntry[str]) -> int:
    try:
        # Blocks and not the size, where there is a number of them: a file may have holes.
        about = entry.stat(follow_symlinks=False)
        return about.st_size if sys.platform == "win32" else about.st_blocks * 512
    except OSError:
        return 0
