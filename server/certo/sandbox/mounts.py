"""Which of the machine's files a bubblewrap run sees: what a Python needs and the project, all of it read-only."""

from __future__ import annotations

import os
from pathlib import Path

from certo.sandbox.executor import Work
from certo.sandbox.visible import SETTINGS, SYSTEM, hops, shown

_MEBIBYTE = 1 << 20


def mounts(work: Work, scratch: Path) -> list[str]:
    """The arguments that lay out the file system of one run.

    Order matters: a later mount covers an earlier one. What the run may write is memory and vanishes with it.
    """
    size = str(work.limits.memory_mebibytes * _MEBIBYTE)
    places = shown(work)
    arguments = ["--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/tmp"]
    for system in SYSTEM:
        arguments += _system(Path(system))
    for name in SETTINGS:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for place in places:
        arguments += ["--ro-bind", str(place), str(place)]
    for hop in hops(work.interpreter.executable):
        if not any(hop.is_relative_to(place) for place in (*places, *map(Path, SYSTEM))):
            arguments += ["--ro-bind", str(hop), str(hop)]
    arguments += [
        "--size",
        size,
        "--tmpfs",
        str(scratch),
        "--dir",
        str(scratch / "home"),
        "--dir",
        str(scratch / "tmp"),
    ]
    for name in ("order.json", "overlay"):
        arguments += ["--ro-bind", str(scratch / name), str(scratch / name)]
    arguments += _overlay(work, scratch)
    return [*arguments, "--remount-ro", "/", "--chdir", str(work.root)]


def _system(place: Path) -> list[str]:
    """A system directory as it is: /lib is a link to /usr/lib on most systems, and programs read such links."""
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return ["--ro-bind", str(place), str(place)] if place.is_dir() else []


def _overlay(work: Work, scratch: Path) -> list[str]:
    """Bind each overlaid text over its file; a new file has no place to be bound to, and can only be imported."""
    arguments: list[str] = []
    root = work.root.resolve()
    for number, relative in enumerate(work.overlay):
        place = (work.root / relative).resolve()
        if place.is_file() and place.is_relative_to(root):
            for spelling in {place, work.root / place.relative_to(root)}:
                arguments += ["--ro-bind", str(scratch / "overlay" / str(number)), str(spelling)]
    return arguments
