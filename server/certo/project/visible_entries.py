"""The entries of a project outside hidden places, and other names under which these show what is hidden."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

_SKIPPED = frozenset({".git", "node_modules", "__pycache__", "site-packages", ".tox", ".nox"})
_ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})
_INSTALLED = frozenset(
    {"bin", "etc", "include", "lib", "lib64", "share", "scripts", "conda-meta", "library", "pkgs", "ssl"}
)
"""Directories of an environment that hold what was installed; those beside them are the user's, as pip's `src`."""
_MAX_ENTRIES = 200_000


def nested_repositories(root: Path, hidden: Set[str]) -> tuple[str, ...]:
    """Return the directories below `root` that are repositories of their own, submodules and worktrees included.

    Git says nothing of what is ignored in them. Those within `hidden` places are left out.
    """
    entries = _entries(str(root), hidden)
    return tuple(sorted(path.rpartition("/")[0] for entry, path in entries if entry.name == ".git" and "/" in path))


def other_names(root: Path, hidden: Set[str]) -> tuple[str, ...]:
    """Return the files outside `hidden` places that are hard links of files within them.

    If a hidden place has too many entries to look at, every file with several names may be such a link.
    """
    linked = {
        path: entry.inode()
        for entry, path in _entries(str(root), hidden)
        if entry.is_file(follow_symlinks=False) and _has_names(entry)
    }
    if not linked:
        return ()
    inodes, whole = _inodes(root, hidden)
    return tuple(sorted(path for path, inode in linked.items() if inode in inodes or not whole))


def _entries(root: str, hidden: Set[str]) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Yield everything outside hidden places and installed packages with its path, the directory `.git` included."""
    waiting, left = [""], _MAX_ENTRIES
    while waiting and left > 0:
        place = waiting.pop()
        entries = _scanned(os.path.join(root, place))
        is_environment = bool(place) and any(entry.name in _ENVIRONMENTS for entry in entries)
        left -= len(entries)
        for entry in entries:
            path = f"{place}/{entry.name}" if place else entry.name
            if path in hidden:
                continue
            yield entry, path
            if is_environment and entry.name.lower() in _INSTALLED:
                continue
            if entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED:
                waiting.append(path)


def _inodes(root: Path, places: Iterable[str]) -> tuple[set[int], bool]:
    """Return the numbers of the files in some places, and whether these are all."""
    found: set[int] = set()
    waiting, left = [root / place for place in places], _MAX_ENTRIES
    while waiting and left > 0:
        place = waiting.pop()
        try:
            found.add(place.lstat().st_ino)
        except OSError:
            continue
        if place.is_symlink() or not place.is_dir():
            continue
        for entry in _scanned(str(place)):
            left -= 1
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            else:
                found.add(entry.inode())
    return found, left > 0


def _scanned(place: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as scanned:
            return list(scanned)
    except OSError:
        return []


def _has_names(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_nlink > 1
    except OSError:
        return False
