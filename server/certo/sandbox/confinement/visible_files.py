"""Files of the machine that a run needs to see: a Python, the project, and certo's own programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.secrets import hidden_in
from certo.sandbox.executor import Interpreter, Limits, Work
from certo.sandbox.process.scratch import MAX_FILES

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
"""Directories in which systems keep programs and libraries."""

SETTINGS = (
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "passwd",
    "pki",
    "protocols",
    "services",
    "ssl",
    "timezone",
)
"""Harmless entries of /etc that programs look up; no keys, no host identity."""


def shown(root: Path, interpreter: Interpreter, home: Path) -> list[Path]:
    """Return the visible directories of a run that are not the system's, each under all of its names."""
    return outermost(places(root, interpreter, home))


def places(root: Path, interpreter: Interpreter, home: Path) -> Iterable[Path]:
    """Return the directories a run needs, each under its own name and under its real one."""
    return spellings((root, *interpreter.readable, home, WORKER_HOME))


def hidden_places(work: Work) -> list[str]:
    """Return the files and directories of the project hidden from a run, each under all of its names."""
    return sorted({str(root / path) for root in spellings((work.root,)) for path in hidden_of(work)})


def hidden_of(work: Work) -> tuple[str, ...]:
    """Return the same, relative to the project's root."""
    return (*hidden_in(work.root, work.shown), *work.hidden)


def outermost(places: Iterable[Path]) -> list[Path]:
    """Return the places that are not inside another one or the system, outer ones first."""
    kept: list[Path] = []
    for place in sorted(set(places), key=lambda path: (len(path.parts), path)):
        if place.exists() and not any(place.is_relative_to(outer) for outer in (*kept, *map(Path, SYSTEM))):
            kept.append(place)
    return kept


def hops(executable: Path) -> list[Path]:
    """Return the interpreter's executable and every link on the way to the real one."""
    found = [executable]
    while found[-1].is_symlink() and len(found) < 40:
        found.append(Path(os.path.normpath(found[-1].parent / found[-1].readlink())))
    return found


def spellings(places: Iterable[Path]) -> Iterable[Path]:
    """Yield each place under its own name and under its real one, since links inside it may point to either."""
    for place in places:
        yield place
        yield place.resolve()


VIEWS = "/.certo"
"""Directory in which the file systems of a warm process's runs are built."""

_MEMORY = ("/dev/shm", "/tmp")
"""Places that programs expect to be writable, besides those named in the environment."""


def mounts(work: Work, scratch: Path) -> list[str]:
    """Return the mount arguments that all runs of one sandbox share; all of them are read-only.

    Order matters: a later mount covers an earlier one. Writable places are mounted by each run; see `mounts_order`.
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
    """Return the part of an order that lists the mounts of a run itself; see the worker's `mounts.lay_out`.

    `files` is the overlay: the place of each text, by path relative to the root, and None for a deleted file.
    bubblewrap could mount memory too, but not limit the number of files in it.
    """
    return {
        "roots": list(dict.fromkeys((str(work.root), str(work.root.resolve())))),
        "files": dict(files),
        "hidden": hidden_places(work),
        "places": [*_MEMORY, str(scratch / "home"), str(scratch / "tmp")],
        "mebibytes": limits.memory_mebibytes,
        "inodes": MAX_FILES,
        "views": VIEWS,
    }


def _system(place: Path) -> list[str]:
    """Return the arguments for a system directory, with links kept: /lib is a link to /usr/lib on most systems."""
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return ["--ro-bind", str(place), str(place)] if place.is_dir() else []
