"""Guest program that computes a fingerprint of everything that runs can see of a project and its interpreter.

No file is read: size, times and inode of each suffice. The time of its last status change cannot be set, so a
fingerprint never recurs after a change, not even if the change is undone.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import time
from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Set, Tuple

from certo_worker.observation.failure_text import Tell, message_of, shortened

_WITHOUT_EFFECT = frozenset(
    (".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache")
)
"""Directories of inputs for other files, or of tools' dispensable data."""

_ELSEWHERE = _WITHOUT_EFFECT | {"site-packages", "dist-packages"}
"""Packages outside the project are examined only where this interpreter imports from, according to `sys.path`."""

_OF_EACH_RUN = frozenset(("HOME", "TMPDIR", "PWD", "OLDPWD"))
"""Variables that name the scratch directory of one run."""

_NOT_TO_BE_HAD = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.EPERM)
"""Errors for missing files, and for files hidden by the sandbox, which are the same for all runs."""

_SECOND = 1_000_000_000
_TICK = _SECOND // 20
"""Maximum step of a kernel's clock for files, unless the file system counts in seconds."""


class Unsure(Exception):
    """No fingerprint is available; the message gives the reason."""


def prepare(_preparation: Dict[str, Any]) -> None:
    """Prepare nothing beyond the imports of this program, which a worker has made before its run is known."""


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Report the fingerprint of the project at `root`, of `places`, of the files in `flat`, and of import directories.

    Also report that of everything `apart` from the project's own source files, and the stamps of these by path.

    Or report the reason why there is none: more than `most` files, more than `seconds` of processor time, an unreadable
    file, or a change after `since`, a time in nanoseconds, or so shortly before that another could follow unnoticed.
    """
    walk = Walk(request["most"], request["seconds"], request["since"])
    try:
        if os.name == "nt":
            raise Unsure("Windows does not say when a file was changed last")
        walk.note("environment", sorted(_variables()), sys.path, sys.version, os.uname(), time.strftime("%Y-%m-%d"))
        walk.take(request["root"], _WITHOUT_EFFECT, own=True)
        for place in (*request["places"], *sys.path):
            walk.take(place, _ELSEWHERE)
        for place in (*request["flat"], os.path.dirname(sys.executable)):
            walk.take(place, _ELSEWHERE, deep=False)
        found = walk.found()
    except (Unsure, OSError) as error:
        tell({"kind": "none", "why": shortened(message_of(error))})
        return
    tell({"kind": "fingerprint", "text": found, "apart": walk.apart(), "sources": walk.sources})


def _variables() -> Iterable[Tuple[str, str]]:
    """Yield the environment variables that are the same in each run."""
    return ((name, value) for name, value in os.environ.items() if name not in _OF_EACH_RUN)


def _is_library(directory: str) -> bool:
    """True if a directory is one of installed packages, or within one."""
    return not {"site-packages", "dist-packages"}.isdisjoint(directory.split(os.sep))


class Walk:
    """State of a walk: its digest, and the remaining `most` files and `seconds` of processor time.

    Its fingerprint is that of everything since the time `began`, in nanoseconds.
    """

    def __init__(self, most: int, seconds: float, began: int) -> None:
        self._left = most
        self._began = began
        self._deadline = time.process_time() + seconds
        self._seen: Set[Tuple[int, int]] = set()
        self._newest = 0
        self._digest = hashlib.sha256()
        self._apart = hashlib.sha256()
        self._own: Set[Tuple[int, int]] = set()
        self.sources: Dict[str, str] = {}

    def note(self, *facts: object) -> None:
        """Add facts to the fingerprint."""
        written = repr(facts).encode("utf-8", "surrogatepass")
        self._digest.update(written)
        self._apart.update(written)

    def found(self) -> str:
        """Return the fingerprint of all facts.

        Raises:
            Unsure: A file was changed after the time it began, or just before.
        """
        step = _TICK if self._newest % _SECOND else 2 * _SECOND
        if self._newest > self._began - step:
            raise Unsure("something was changed just now")
        return self._digest.hexdigest()

    def apart(self) -> str:
        """Return the fingerprint of all facts but the stamps of the project's own sources."""
        return self._apart.hexdigest()

    def take(self, place: str, skipped: FrozenSet[str] = frozenset(), deep: bool = True, own: bool = False) -> None:
        """Add a file, or a directory with its contents except skipped names; if not `deep`, only its files.

        With `own`, regular Python files in it that are in no directory of packages are noted as `sources` too.

        Raises:
            Unsure: There is too much to examine.
            OSError: Something cannot be examined.
        """
        waiting: List[str] = [place]
        while waiting:
            path = waiting.pop()
            about = self._look(path, own=own)
            if about is None or not stat.S_ISDIR(about.st_mode) or (about.st_dev, about.st_ino) in self._seen:
                continue
            if deep:
                self._seen.add((about.st_dev, about.st_ino))
            for entry in self._entries(path):
                if entry.name in skipped:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting += [entry.path] if deep else []
                    continue
                about = entry.stat(follow_symlinks=False)
                if own and entry.name.endswith(".py") and not entry.is_symlink() and not _is_library(path):
                    self._stamp_source(entry.path, about, place)
                else:
                    self._stamp(entry.path, about)
                if entry.is_symlink() and deep:
                    waiting.append(entry.path)
                elif entry.is_symlink():
                    self._look(entry.path)

    def _entries(self, directory: str) -> "List[os.DirEntry[str]]":
        """Return the entries of a directory in sorted order."""
        try:
            with os.scandir(directory) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._not_had(directory, error)
            return []

    def _look(self, path: str, own: bool = False) -> "Optional[os.stat_result]":
        """Add the target of a path, of the project's `own` directories or not; return None if it is not accessible."""
        try:
            about = os.stat(path)
        except OSError as error:
            self._not_had(path, error)
            return None
        if own and stat.S_ISDIR(about.st_mode):
            self._own.add((about.st_dev, about.st_ino))
        self._stamp(path, about)
        return about

    def _not_had(self, path: str, error: OSError) -> None:
        """Add a file that no run can access either; any other error raises Unsure."""
        if error.errno not in _NOT_TO_BE_HAD:
            raise error
        self.note(path, error.errno)

    def _stamp(self, path: str, about: os.stat_result) -> None:
        self._count(about)
        stamp = (path, *_stamp_of(about))
        if (about.st_dev, about.st_ino) in self._own:
            self._digest.update(repr(stamp).encode("utf-8", "surrogatepass"))
        else:
            self.note(*stamp)

    def _stamp_source(self, path: str, about: os.stat_result, root: str) -> None:
        """Add a source file of the project at `root`, whose directory changes with it."""
        self._count(about)
        stamp = _stamp_of(about)
        self._digest.update(repr((path, *stamp)).encode("utf-8", "surrogatepass"))
        name = os.path.relpath(path, root).replace(os.sep, "/")
        self.sources[name] = hashlib.sha256(repr(stamp).encode("ascii")).hexdigest()[:16]

    def _count(self, about: os.stat_result) -> None:
        self._left -= 1
        if self._left < 0:
            raise Unsure("there are too many files")
        if not self._left % 1000 and time.process_time() > self._deadline:
            raise Unsure("it takes too long to look at all files")
        self._newest = max(self._newest, about.st_ctime_ns)


def _stamp_of(about: os.stat_result) -> Tuple[int, ...]:
    return about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino
