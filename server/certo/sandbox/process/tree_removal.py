"""Removal of a tree that a hostile program left: any depth, number of files or permissions, in bounded memory."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

_CHANGEABLE = 0o700
_AT_ONCE = 200

Place = int | str
"""An open directory; on Windows, which has no such thing, its path."""

RemoveOne = Callable[[Place, os.DirEntry[str]], Iterator[None]]


def remove(directory: Path) -> str:
    """Remove a tree and return what could not be removed, in words; empty if everything is gone.

    Links are never followed, not even if a directory is replaced by one meanwhile. No path gets long: a directory
    inside another one is moved up to the top before it is emptied.
    """
    removal = Removal(directory)
    for _ in removal.steps():
        pass
    return removal.left


class Removal:
    """Incremental removal of a tree, a few files per step; `left` names the parts that could not be removed so far."""

    def __init__(self, directory: Path) -> None:
        self.left = ""
        self._directory = directory
        self._names = count()
        self._removed = 0

    def steps(self) -> Iterator[None]:
        """Remove everything step by step; a caller that stops early leaves the rest."""
        try:
            with _opened(None, str(self._directory)) as top:
                yield from self._emptying(top, self._remove_from_the_top)
            os.rmdir(self._directory)
        except FileNotFoundError:
            return
        except OSError as error:
            self._keep(self._directory, error)

    def _emptying(self, place: Place, remove_one: RemoveOne) -> Iterator[None]:
        """Empty a directory.

        Removing entries while listing may make the listing skip others, so it is repeated until nothing changes.
        """
        going = True
        while going:
            going = False
            for entry in _entries(place):
                removed = self._removed
                yield from remove_one(place, entry)
                going |= self._removed > removed

    def _remove_from_the_top(self, top: Place, entry: os.DirEntry[str]) -> Iterator[None]:
        """Remove a file, or empty a directory and remove it."""
        try:
            if _is_directory(entry):
                with _opened(top, entry.name) as within:
                    yield from self._emptying(within, partial(self._take_out, top))
                _rmdir(top, entry.name)
            else:
                _unlink(top, entry.name)
        except OSError as error:
            self._keep(entry.name, error)
        else:
            yield from self._count()

    def _take_out(self, top: Place, within: Place, entry: os.DirEntry[str]) -> Iterator[None]:
        """Remove a file, or move a directory up to `top` under an unused name."""
        try:
            if _is_directory(entry):
                # Moved up instead of entered: neither recursion nor open descriptors grow with the depth of the tree.
                _move_up(within, entry.name, top, self._names)
            else:
                _unlink(within, entry.name)
        except OSError as error:
            self._keep(entry.name, error)
        else:
            yield from self._count()

    def _count(self) -> Iterator[None]:
        self._removed += 1
        if self._removed % _AT_ONCE == 0:
            yield

    def _keep(self, name: object, error: OSError) -> None:
        self.left = self.left or f"{str(name)!r} stays: {error.strerror or error}"


def _move_up(within: Place, name: str, top: Place, names: Iterator[int]) -> None:
    if not isinstance(within, str):
        # A closed directory cannot be moved either, because moving changes its `..` entry.
        _open_up(within, name)
    here, source = _at(within, name, "src_dir_fd")
    while True:
        there, target = _at(top, f"certo-{next(names)}", "dst_dir_fd")
        try:
            os.rename(here, there, **source, **target)
        except OSError:
            # The program has a file or non-empty directory of this name; an empty directory is replaced.
            if not _exists(top, os.path.basename(there)):
                raise
        else:
            return


def _is_directory(entry: os.DirEntry[str]) -> bool:
    """True if it is a directory itself, not a link to one; Windows has links that look like directories."""
    if not entry.is_dir(follow_symlinks=False):
        return False
    return sys.platform != "win32" or not entry.stat(follow_symlinks=False).st_reparse_tag


def _entries(place: Place) -> Iterator[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        yield from entries


@contextmanager
def _opened(parent: Place | None, name: str) -> Iterator[Place]:
    """Open a directory with full permissions, refusing a link that may have replaced it."""
    if sys.platform == "win32":
        path = name if parent is None else os.path.join(str(parent), name)
        yield path
        return
    assert not isinstance(parent, str)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    _open_up(parent, name)
    opened = os.open(name, flags, dir_fd=parent)
    try:
        yield opened
    finally:
        os.close(opened)


def _open_up(parent: int | None, name: str) -> None:
    """Give ourselves all permissions on a directory, through a descriptor that needs none."""
    known = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if not stat.S_ISDIR(known.st_mode) or known.st_mode & _CHANGEABLE == _CHANGEABLE:
        return
    if sys.platform != "linux":
        os.chmod(name, _CHANGEABLE, dir_fd=parent, follow_symlinks=False)
        return
    held = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{held}", _CHANGEABLE)
    finally:
        os.close(held)


def _at(place: Place, name: str, keyword: str) -> tuple[str, dict[str, int]]:
    """Return the path and keyword arguments for a call that takes the directory of `name` as `keyword`."""
    return (os.path.join(place, name), {}) if isinstance(place, str) else (name, {keyword: place})


def _unlink(place: Place, name: str) -> None:
    path, where = _at(place, name, "dir_fd")
    try:
        os.unlink(path, **where)
    except PermissionError:
        if sys.platform != "win32":
            raise
        # Windows does not remove read-only files, or links to directories, like ordinary files.
        os.chmod(path, stat.S_IWRITE)
        (os.rmdir if os.path.isdir(path) else os.unlink)(path)


def _rmdir(place: Place, name: str) -> None:
    path, where = _at(place, name, "dir_fd")
    os.rmdir(path, **where)


def _exists(place: Place, name: str) -> bool:
    path, where = _at(place, name, "dir_fd")
    try:
        os.stat(path, follow_symlinks=False, **where)
    except OSError:
        return False
    return True
