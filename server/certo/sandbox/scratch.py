"""Scratch directories: one for each run, gone when the run is over; those of dead daemons are swept at start."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from certo.sandbox.census import start_of

_NAME = re.compile(r"certo-(?P<pid>\d+)-(?P<start>\d+)-\w+")

RUNS = "runs"
"""Where the scratch directories of the runs that start from a zygote lie, in the zygote's own."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory only we can enter, with `home`, `tmp` and `overlay` in it; whatever was left there is removed."""
    directory = Path(os.path.realpath(tempfile.mkdtemp(prefix=f"certo-{os.getpid()}-{start_of(os.getpid())}-")))
    with _furnished(directory, ("home", "tmp", "overlay", RUNS)):
        yield directory


@contextmanager
def scratch_within(zygote: Path) -> Iterator[Path]:
    """The same for one run that starts from the zygote whose scratch directory is given."""
    with _furnished(Path(tempfile.mkdtemp(dir=zygote / RUNS)), ("home", "tmp", "overlay")) as directory:
        yield directory


@contextmanager
def _furnished(directory: Path, names: Iterable[str]) -> Iterator[Path]:
    try:
        for name in names:
            (directory / name).mkdir()
        yield directory
    finally:
        remove(directory)


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
            remove(entry)


def remove(directory: Path) -> None:
    """Remove a tree, even where a program took our own right to enter its directories away."""
    # Walking top down, each directory is opened up before it is listed; links are never followed.
    for parent, directories, _ in os.walk(directory):
        for name in directories:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(directory, ignore_errors=True)
