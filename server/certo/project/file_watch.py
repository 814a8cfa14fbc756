"""Changes of a project's files: told by the kernel on Linux, and looked for now and then elsewhere."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import anyio

from certo.project.testfiles import is_skipped

LOOK_SECONDS = 2.0
"""The time between two looks where the kernel does not tell of changes."""

QUIET_SECONDS = 0.2
"""The time in which changes that belong together are gathered."""

_CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x8, 0x40, 0x80, 0x100, 0x200
"""Bits of inotify, from `linux/inotify.h`."""

_CACHE = (".pytest_cache", "v", "cache")
"""The folders in which pytest keeps what failed, one in the other."""


async def file_changes(root: Path) -> AsyncIterator[None]:
    """Yield at once, and then whenever a file of a project may have changed."""
    told = _Inotify.opened() if sys.platform == "linux" else None
    if told is None:
        while True:
            yield
            await anyio.sleep(LOOK_SECONDS)
    with closing(told):
        while True:
            # A folder that is new may have files already, so it is watched before anybody looks.
            told.watch(_folders(root))
            yield
            await told.changed()
            await anyio.sleep(QUIET_SECONDS)
            told.drain()


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

    def watch(self, folders: Iterator[Path]) -> None:
        """Have the changes in folders told; one that is watched already stays so."""
        wanted = _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
        for folder in folders:
            self._library.inotify_add_watch(self._descriptor, os.fsencode(folder), ctypes.c_uint32(wanted))

    async def changed(self) -> None:
        """Wait until something has changed."""
        await anyio.wait_readable(self._descriptor)

    def drain(self) -> None:
        """Take note of all changes so far."""
        try:
            while os.read(self._descriptor, 1 << 16):
                pass
        except BlockingIOError:
            return

    def close(self) -> None:
        """End the list."""
        os.close(self._descriptor)
