"""Folders of certo's own: removed without blocking, or set aside under another name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio

from certo.vocabulary.errors import ExperimentsUnavailable

SET_ASIDE = ".set-aside-"
"""Part of the name of an unusable folder that is kept."""

_AT_ONCE = 100


async def remove(folder: Path) -> None:
    """Remove a folder if it exists, yielding to other tasks.

    Raises:
        ExperimentsUnavailable: Part of it cannot be removed.
    """
    try:
        for number, entry in enumerate(_inside_out(folder)):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await anyio.lowlevel.checkpoint()
            _remove_entry(entry)
    except OSError as error:
        raise ExperimentsUnavailable(f"{folder} cannot be removed: {error.strerror or error}") from error


def _inside_out(folder: Path) -> Iterator[Path]:
    """Yield everything in a folder, contents before their folder, and last the folder itself."""
    for place, directories, names in os.walk(folder, topdown=False):
        for name in (*names, *directories):
            yield Path(place, name)
    yield folder


def _remove_entry(entry: Path) -> None:
    with suppress(FileNotFoundError, NotADirectoryError):
        if entry.is_dir() and not entry.is_symlink():
            entry.rmdir()
        else:
            entry.unlink()


def set_aside(folder: Path) -> Path:
    """Rename an unusable folder and return the new path.

    Raises:
        ExperimentsUnavailable: It cannot be renamed.
    """
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1000:03}"
    kept = folder.with_name(f"{folder.stem}{SET_ASIDE}{stamp}{folder.suffix}")
    try:
        return folder.rename(kept)
    except OSError as error:
        raise ExperimentsUnavailable(f"{folder} cannot be set aside: {error.strerror or error}") from error
