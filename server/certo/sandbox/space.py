"""How much a run keeps on the disk, seen by looking: the kernel limits each of its files, but not all together."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import anyio

MOST_FILES = 50_000
"""How many files and directories a run may have at once. As memory, the kernel keeps about a KiB for each."""

_BETWEEN_SECONDS = 0.1
_AT_ONCE = 200
_PAUSE_SECONDS = 0.01
"""After so many files, which takes a few ms at most, whoever else runs in this process has a turn."""

_MEBIBYTE = 1 << 20


async def until_full(scratch: Path, *, files: int, mebibytes: int) -> None:
    """Return when there are more files, or more in them, in those directories of `scratch` that a run may write to.

    What a run has deleted and still holds open is not seen, nor what it makes while we look.
    """
    while True:
        await anyio.sleep(_BETWEEN_SECONDS)
        if await _is_full((scratch / "home", scratch / "tmp"), files, mebibytes * _MEBIBYTE):
            return


async def _is_full(places: tuple[Path, ...], most_files: int, most_bytes: int) -> bool:
    files = used = 0
    for place in places:
        with closing(_below(str(place))) as entries:
            for entry in entries:
                files += 1
                used += _bytes_of(entry)
                # Whoever fills the disk would keep us looking as well.
                if files > most_files or used > most_bytes:
                    return True
                if files % _AT_ONCE == 0:
                    await anyio.sleep(_PAUSE_SECONDS)
    return False


def _below(place: str) -> Generator[os.DirEntry[str], None, None]:
    """All there is below a place, each directory's own entries before those of its directories."""
    waiting = [place]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            # It is gone already, or closed even to us.
            continue


def _bytes_of(entry: os.DirEntry[str]) -> int:
    try:
        # Blocks and not the size, where there is a number of them: a file may have holes.
        about = entry.stat(follow_symlinks=False)
        return about.st_size if sys.platform == "win32" else about.st_blocks * 512
    except OSError:
        return 0
