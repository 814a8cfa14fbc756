"""Which of the machine's files a bubblewrap run sees: what a Python needs and the project, all of it read-only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from certo.sandbox.executor import Limits, Work
from certo.sandbox.space import MOST_FILES
from certo.sandbox.visible import SETTINGS, SYSTEM, hidden_places, hops, shown

VIEWS = "/.certo"
"""Where the file systems of the runs of a warm process are built."""

_MEMORY = ("/dev/shm", "/tmp")
"""What programs expect to be able to write to, besides the places of their own that the environment names."""


def mounts(work: Work, scratch: Path) -> list[str]:
    """The arguments that lay out what the runs of one sandbox have in common; nothing of it can be written to.

    Order matters: a later mount covers an earlier one. What a run may write to it mounts itself; see `mounts_order`.
    """
    places = shown(work.root, work.interpreter, work.program.home)
    arguments = ["--proc", "/proc", "--dev", "/dev", "--dir", "/tmp", "--dir", VIEWS]
    for system in SYSTEM:
        arguments += _system(Path(system))
    for name in SETTINGS:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for place in places:
        arguments += ["--ro-bind", str(place), str(place)]
    for hop in hops(work.interpreter.executable):
        if not any(hop.is_relative_to(place) for place in (*places, *map(Path, SYSTEM))):
            arguments += ["--ro-bind", str(hop), str(hop)]
    arguments += ["--ro-bind", str(scratch), str(scratch)]
    return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(work.root)]


def mounts_order(work: Work, scratch: Path, limits: Limits, files: Mapping[str, str | None]) -> dict[str, Any]:
    """The part of an order that says what a run is to mount for itself; see the worker's `mounting.lay_out`.

    `files` is the overlay: the place of each text, by path relative to the root, and None for a file that is deleted.
    bubblewrap could mount memory too, but not limit how many files there may be in it.
    """
    return {
        "roots": list(dict.fromkeys((str(work.root), str(work.root.resolve())))),
        "files": dict(files),
        "hidden": hidden_places(work),
        "places": [*_MEMORY, str(scratch / "home"), str(scratch / "tmp")],
        "mebibytes": limits.memory_mebibytes,
        "inodes": MOST_FILES,
        "views": VIEWS,
    }


def _system(place: Path) -> list[str]:
    """A system directory as it is: /lib is a link to /usr/lib on most systems, and programs read such links."""
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return ["--ro-bind", str(place), str(place)] if place.is_dir() else []
