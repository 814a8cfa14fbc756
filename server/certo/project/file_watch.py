"""Changes of a project's files: told by the kernel on Linux, and looked for now and then elsewhere."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, suppress
from pathlib import Path

import anyio

from certo.project.testfiles import is_skipped
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.progress import Say, unheard

LOOK_SECONDS = 2.0
"""The time between two looks where the kernel does not tell of changes."""

QUIET_SECONDS = 0.2
"""The time in which changes that belong together are gathered."""

_CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x8, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED, _IS_FOLDER = 0x400, 0x800, 0x2000, 0x4000, 0x8000, 0x40000000
"""Bits of inotify, from `linux/inotify.h`."""

_WANTED = _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_ABOUT_FOLDERS = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW | _IGNORED | _IS_FOLDER

_EVENT = struct.Struct("iIII")
"""An event of inotify: the folder's number, bits, a number that joins the halves of a move, the bytes of the name."""

_FAILED = b"lastfailed"
"""The file of pytest's cache that counts."""

_CACHE = (".pytest_cache", "v", "cache")
"""The folders in which pytest keeps what failed, one in the other."""


async def file_changes(root: Path, say: Say = unheard) -> AsyncIterator[None]:
    """Yield at once, and then whenever a Python file of a project, or pytest's list of failed tests, may have changed.

    `say` is told if Linux cannot tell of changes.

    Raises:
        BadRequest: The folder is gone, or another one is in its place.
    """
    begun = _identity(root)
    if sys.platform == "linux":
        told = _Inotify.opened()
        if told is not None:
            with closing(told):
                # A folder that is new may have files already, so it is watched before anybody looks.
                while told.watch(_folders(root)):
                    yield
                    await told.changed()
                    await anyio.sleep(QUIET_SECONDS)
                    told.take()
                    _require_same(root, begun)
        say(
            f"the kernel watches no further folders for this user, so certo looks for changes every {LOOK_SECONDS:g} "
            "seconds; raise fs.inotify.max_user_watches and max_user_instances"
        )
    while True:
        yield
        await anyio.sleep(LOOK_SECONDS)
        _require_same(root, begun)


def _identity(root: Path) -> tuple[int, int] | None:
    """Return what tells a folder from another one at its place; None if there is none."""
    try:
        about = root.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _require_same(root: Path, begun: tuple[int, int] | None) -> None:
    now = _identity(root)
    if now is None or now != begun:
        raise BadRequest(f"{root} was deleted, moved or replaced; watch the folder that the project is in now")


def python_files(root: Path) -> dict[Path, tuple[int, int]]:
    """Return the Python files of a project with what changes when they are written."""
    found = {}
    for folder in _folders(root):
        try:
            for entry in os.scandir(folder):
                if entry.name.endswith(".py") and entry.is_file(follow_symlinks=False):
                    about = entry.stat(follow_symlinks=False)
                    found[Path(entry.path)] = about.st_mtime_ns, about.st_size
        except OSError:
            continue  # It is gone by now.
    return found


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders of a project that may have files of its own, and those of pytest's cache."""
    for place, directories, _ in os.walk(root):
        directories[:] = [name for name in directories if not is_skipped(Path(place, name))]
        yield Path(place)
    for depth in range(1, len(_CACHE) + 1):
        cache = root.joinpath(*_CACHE[:depth])
        if cache.is_dir():
            yield cache


class _Inotify:
    """The kernel's list of changes in folders."""

    def __init__(self, library: ctypes.CDLL, descriptor: int) -> None:
        self._library = library
        self._descriptor = descriptor

    @classmethod
    def opened(cls) -> _Inotify | None:
        """Return a new list; None if this system has none."""
        try:
            library = ctypes.CDLL(None, use_errno=True)
            descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, AttributeError):
            return None
        return None if descriptor < 0 else cls(library, descriptor)

    def watch(self, folders: Iterator[Path]) -> bool:
        """Have the changes in folders told, and those of the folders; False if the kernel watches no more of them."""
        for folder in folders:
            number = self._library.inotify_add_watch(self._descriptor, os.fsencode(folder), ctypes.c_uint32(_WANTED))
            # Any other error is about this folder alone, which may be gone by now.
            if number < 0 and ctypes.get_errno() in (errno.ENOSPC, errno.ENOMEM):
                return False
        return True

    async def changed(self) -> None:
        """Wait until something has changed that counts."""
        while not self.take():
            await anyio.wait_readable(self._descriptor)

    def take(self) -> bool:
        """Take note of all changes so far; True if one counts: of a Python file, a folder, or what failed."""
        counts = False
        with suppress(BlockingIOError):
            while events := os.read(self._descriptor, 1 << 16):
                counts = any([counts, *map(_counts, _events(events))])
        return counts

    def close(self) -> None:
        """End the list."""
        os.close(self._descriptor)


def _events(told: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the bits and the name of each event."""
    at = 0
    while at < len(told):
        _, bits, _, length = _EVENT.unpack_from(told, at)
        at += _EVENT.size + length
        yield bits, told[at - length : at].rstrip(b"\0")


def _counts(event: tuple[int, bytes]) -> bool:
    bits, name = event
    return bool(bits & _ABOUT_FOLDERS) or name.endswith(b".py") or name == _FAILED
