"""Scratch directories: one for each run, removed when it ends; those of dead daemons are swept at start."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import field
from itertools import count
from pathlib import Path

import anyio

from certo.sandbox.process.process_table import start_of
from certo.sandbox.process.tree_removal import Removal, remove
from certo.vocabulary.records import dataclass

log = logging.getLogger(__name__)

_NAME = re.compile(r"certo-(?P<pid>\d+)-(?P<start>\d+)-\w+")

RUNS = "runs"
"""Name of the directory for runs that start from a zygote, inside the zygote's own."""


@asynccontextmanager
async def scratch() -> AsyncIterator[Path]:
    """Yield a private directory with `home`, `tmp` and `overlay` in it; it is removed with everything left inside."""
    async with _furnished(_new(), ("home", "tmp", "overlay", RUNS)) as directory:
        yield directory


def _new() -> Path:
    return Path(os.path.realpath(tempfile.mkdtemp(prefix=f"certo-{os.getpid()}-{start_of(os.getpid())}-")))


@asynccontextmanager
async def scratch_within(zygote: Path) -> AsyncIterator[Path]:
    """Yield such a directory for one run that starts from the zygote with the given scratch directory."""
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
    """Remove a tree that a run left, yielding to other tasks in between. Failing to remove something is no error."""
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
        # On Windows the folder belongs to the user alone, and files have no numeric owner.
        if stat.S_ISDIR(about.st_mode) and (sys.platform == "win32" or about.st_uid == os.getuid()):
            _tell(entry, remove(entry))


_BLOCK = 512
_DELETED = b" (deleted)"

File = tuple[int, int]
"""A file by device and inode."""


@dataclass(slots=True)
class Held:
    """Deleted files that are still held open, with their sizes in bytes.

    `uncounted` means that there may be more: mapped files that are not open, and descriptors in transit through a
    socket.
    """

    sizes: dict[File, int] = field(default_factory=dict)
    uncounted: bool = False


def held_by(processes: Iterable[int]) -> Held:
    """Return the deleted files held by some processes; processes that are gone or inaccessible hold none."""
    held = Held()
    if sys.platform == "linux":
        for process in processes:
            # A thread may have a table of open files of its own.
            for thread in _names(f"/proc/{process}/task"):
                _look_at_open(f"/proc/{process}/task/{thread}", held)
            held.uncounted |= any(file not in held.sizes for file in _mapped(process))
    return held


def _look_at_open(place: str, held: Held) -> None:
    for name in _names(f"{place}/fd"):
        with suppress(OSError):
            about = os.stat(f"{place}/fd/{name}")
            if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                held.sizes[about.st_dev, about.st_ino] = about.st_blocks * _BLOCK
            elif stat.S_ISSOCK(about.st_mode):
                held.uncounted |= _carries(f"{place}/fdinfo/{name}")


def _carries(place: str) -> bool:
    """True if descriptors are in transit to a socket, according to `place`."""
    with open(place, "rb") as facts:
        return any(line.startswith(b"scm_fds:") and int(line.split()[1]) > 0 for line in facts)


def _mapped(process: int) -> Iterator[File]:
    """Yield the deleted files that a process has mapped into its memory."""
    with suppress(OSError), open(f"/proc/{process}/maps", "rb", buffering=0) as maps:
        text = maps.readall()
        # Few have any, and to look at each of some hundred lines takes long.
        for line in text.split(b"\n") if _DELETED in text else ():
            if line.endswith(_DELETED):
                _addresses, _rights, _offset, device, number = line.split(None, 5)[:5]
                major, _, minor = device.partition(b":")
                yield os.makedev(int(major, 16), int(minor, 16)), int(number)


def _names(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:
        return []


MAX_FILES = 50_000
"""Maximum number of files and directories of a run. In memory, the kernel keeps about a KiB for each."""

_BETWEEN_SECONDS = 0.1
_RESTING_SECONDS = 2.0
"""The time between two scans, and that for a prepared process in which nothing changes."""

_HELD_EACH = 3
"""Interval, in scans, at which deleted files that are still open are counted too, which takes longer."""

_AT_ONCE = 200
_PAUSE_SECONDS = 0.01
"""Number of files, scanned in a few ms at most, after which other tasks get a turn."""

_MEBIBYTE = 1 << 20


def no_processes() -> Iterable[int]:
    """Return no process, so that deleted files still open are not counted."""
    return ()


async def until_full(
    scratch: Path,
    *,
    files: int,
    mebibytes: int,
    processes: Callable[[], Iterable[int]] = no_processes,
    rests: bool = False,
) -> None:
    """Wait until a run keeps too many files, or too much in them.

    Counted are the writable directories of `scratch` and, on Linux, deleted files that its `processes` hold open.
    Content that cannot be counted, in a directory closed to us, too deep for a path, or in transit through a socket, is
    tolerated while the disk's free space has not dropped by more than the limit.

    A run that `rests` is a process kept for others, which are counted by themselves. It lives for minutes, so it is
    looked at less often while nothing in it changes.
    """
    free, pause, before = _free(scratch), _BETWEEN_SECONDS, (-1, -1)
    for number in count(1):
        await anyio.sleep(pause)
        found = _FoundFile(most_files=files, most_bytes=mebibytes * _MEBIBYTE)
        await _look(found, (scratch / "home", scratch / "tmp"))
        if not found.is_too_much and number % _HELD_EACH == 0:
            held = held_by(processes())
            found.add(len(held.sizes), sum(held.sizes.values()))
            found.uncounted |= held.uncounted
        if found.is_too_much or (found.uncounted and found.is_lost(free, _free(scratch))):
            return
        same = (found.files, found.used) == before
        pause = min(2 * pause, _RESTING_SECONDS) if rests and same else _BETWEEN_SECONDS
        before = found.files, found.used


@dataclass(slots=True, kw_only=True)
class _FoundFile:
    """Counts so far, and their maxima; `uncounted` is True if not everything could be counted."""

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
        """True if the disk has lost more than the limit: free bytes and free files, `before` and `now`."""
        return before[0] - now[0] > self.most_bytes or before[1] - now[1] > self.most_files


def _free(place: Path) -> tuple[int, int]:
    if sys.platform == "win32":
        return 0, 0
    try:
        about = os.statvfs(place)
    except OSError:
        return 0, 0
    return about.f_bfree * about.f_frsize, about.f_ffree


async def _look(found: _FoundFile, places: tuple[Path, ...]) -> None:
    for place in places:
        with closing(_below(str(place), found)) as entries:
            for entry in entries:
                found.add(1, _bytes_of(entry))
                # A run that fills the disk would keep us counting for long as well.
                if found.is_too_much:
                    return
                if found.files % _AT_ONCE == 0:
                    await anyio.sleep(_PAUSE_SECONDS)


def _below(place: str, found: _FoundFile) -> Generator[os.DirEntry[str], None, None]:
    """Yield everything below a place, each directory's own entries before those of its subdirectories."""
    waiting = [place]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            # If it still exists, it is closed to us, or deeper than a path can be.
            found.uncounted |= error.errno not in (errno.ENOENT, errno.ENOTDIR)


def _bytes_of(entry: os.DirEntry[str]) -> int:
    try:
        # Blocks and not the size, where available: a file may have holes.
        about = entry.stat(follow_symlinks=False)
        return about.st_size if sys.platform == "win32" else about.st_blocks * 512
    except OSError:
        return 0
