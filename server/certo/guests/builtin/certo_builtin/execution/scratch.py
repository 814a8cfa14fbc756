"""The scratch folder of a search, which is cleared of what trials leave in it.

A trial ends at its first failing assertion, or is killed, and deletes no file that a test has made. The files of
thousands of trials would be too many for the sandbox, which ends the run.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from typing import Dict, Iterator, NamedTuple, Set, Tuple

STEP = 50_000_000
"""Nanoseconds after which a further change of a folder is sure to have another time; kernels take up to 10,000,000."""

FRESH = -1

_now = time.time_ns
"""The builtin as it was before any test, for a test may replace it."""


class Entries(NamedTuple):
    """The paths of files and folders, and of each folder when it last changed, as `_changed` says it."""

    paths: Set[str]
    folders: Dict[str, int]


class Scratch:
    """The folders that a sandbox gives a run for temporary files and as the user's home; none outside of a sandbox."""

    def __init__(self) -> None:
        self._places: Tuple[str, ...] = ()

    def find(self) -> None:
        """Find the folders. A test may change the environment, so this comes before any."""
        home, temporary = os.environ.get("HOME", ""), os.environ.get("TMPDIR", "")
        folder = os.path.dirname(temporary)
        # Anywhere else, files of other programs may be beside those of the trials.
        is_ours = bool(folder) and (home, temporary) == (os.path.join(folder, "home"), os.path.join(folder, "tmp"))
        self._places = (home, temporary) if is_ours else ()

    def entries(self) -> Entries:
        """Return all that is there now."""
        paths = [path for place in self._places for path in (place, *_below(place))]
        return Entries(set(paths), {path: changed for path in paths for changed in [_changed(path)] if changed})

    def clear(self, kept: Entries) -> None:
        """Delete all files and folders there but those `kept`, if anything has been made there since."""
        if all(changed != FRESH and _changed(path) == changed for path, changed in kept.folders.items()):
            return
        for place in self._places:
            for path in _below(place):
                if path not in kept.paths:
                    _delete(path)
        kept.folders.update((path, _changed(path)) for path in kept.folders)


def _below(place: str) -> Iterator[str]:
    """Yield all paths below a folder, each folder before what is in it; links are not followed."""
    try:
        with os.scandir(place) as found:
            inside = [(each.path, each.is_dir(follow_symlinks=False)) for each in found]
    except OSError:
        return
    for path, is_folder in inside:
        yield path
        if is_folder:
            yield from _below(path)


def _changed(path: str) -> int:
    """Return when an entry of a folder was last made or deleted, in nanoseconds.

    It is `FRESH` if that was just now: file systems keep the time in steps, so that another change may not show. It is
    0 for what is no folder.
    """
    try:
        about = os.lstat(path)
    except OSError:
        return 0
    if not stat.S_ISDIR(about.st_mode):
        return 0
    return about.st_mtime_ns if _now() - about.st_mtime_ns > STEP else FRESH


def _delete(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.unlink(path)
    except OSError:
        pass


SCRATCH = Scratch()
"""The scratch folder of this process."""
