"""What a sandbox has to show of an interpreter for it to run: few directories, never the user's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from certo.project.breadth import is_too_wide

_MOST_LINKS = 40


def readable_places(executable: Path, places: Iterable[Path], root: Path) -> tuple[Path, ...]:
    """Return the smallest set of directories that holds `executable` and `places`, outer ones first.

    A directory reached through symbolic links is named both as it is spelled and as it resolves, and every directory
    the executable's chain of links passes through is there, because the links themselves must be seen to be followed.
    The project's `root` and what lies in it are left out: a run shows the root itself, with the candidate laid over it.
    `/`, the home directory and what holds either are left out too, whoever named them.
    """
    wanted: set[Path] = set()
    for place in (*places, *_link_directories(executable)):
        wanted.update((place, place.resolve()))
    shown = {root, root.resolve()}
    kept: list[Path] = []
    for place in sorted(wanted, key=lambda place: (len(place.parts), place)):
        covered = any(place.is_relative_to(outer) for outer in (*kept, *shown))
        if not covered and not is_too_wide(place):
            kept.append(place)
    return tuple(kept)


def _link_directories(executable: Path) -> Iterator[Path]:
    """The directory of the executable, and of each link on the way to the real file."""
    hop = executable
    for _ in range(_MOST_LINKS):
        yield hop.parent
        if not hop.is_symlink():
            return
        hop = Path(os.path.normpath(hop.parent / hop.readlink()))
