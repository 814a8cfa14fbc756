"""Scratch directories: one for each run, gone when the run is over; those of dead daemons are swept at start."""

from __future__ import annotations

import logging
import os
import re
import stat
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from certo.sandbox.census import start_of
from certo.sandbox.removing import Removal, remove

log = logging.getLogger(__name__)

_NAME = re.compile(r"certo-(?P<pid>\d+)-(?P<start>\d+)-\w+")

RUNS = "runs"
"""Where the scratch directories of the runs that start from a zygote lie, in the zygote's own."""


@asynccontextmanager
async def scratch() -> AsyncIterator[Path]:
    """A directory only we can enter, with `home`, `tmp` and `overlay` in it; whatever was left there is removed."""
    async with _furnished(_new(), ("home", "tmp", "overlay", RUNS)) as directory:
        yield directory


def _new() -> Path:
    return Path(os.path.realpath(tempfile.mkdtemp(prefix=f"certo-{os.getpid()}-{start_of(os.getpid())}-")))


@asynccontextmanager
async def scratch_within(zygote: Path) -> AsyncIterator[Path]:
    """The same for one run that starts from the zygote whose scratch directory is given."""
    async with _furnished(Path(tempfile.mkdtemp(dir=zygote / RUNS)), ("home", "tmp", "overlay")) as directory:
        yield directory


@asynccontextmanager
async def _furnished(directory: Path, names: Iterable[str]) -> AsyncIterator[Path]:
    try:
        for name in names:
            (directory / name).mkdir()
        yield directory
    finally:
        await _clear(directory)


async def _clear(directory: Path) -> None:
    """Remove a tree that a run left; others have their turn in between. What cannot be removed is no error."""
    removal = Removal(directory)
    steps = removal.steps()
    try:
        for _ in steps:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
    finally:
        # A loop may cancel past all scopes; then the rest is removed at once.
        for _ in steps:
            pass
        _tell(directory, removal.left)


def _tell(directory: Path, left: str) -> None:
    if left:
        log.warning("the scratch directory %s could not be removed: %s", directory, left)


def sweep(place: Path | None = None) -> None:
    """Remove the scratch directories that daemons of this user left in `place` (the temp folder) when they were killed.

    A name carries its daemon's process id and that process's start time, so a reused id is not mistaken for it.
    """
    place = place or Path(tempfile.gettempdir())
    for entry in place.glob("certo-*"):
        name = _NAME.fullmatch(entry.name)
        if name is None or start_of(int(name["pid"])) == int(name["start"]):
            continue
        about = entry.lstat()
        # On Windows the folder is the user's alone, and nobody is its owner by number.
        if stat.S_ISDIR(about.st_mode) and (sys.platform == "win32" or about.st_uid == os.getuid()):
            _tell(entry, remove(entry))
