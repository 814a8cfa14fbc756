"""Which of the machine's files a bubblewrap run sees: what a Python needs and the project, all of it read-only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from certo.sandbox.executor import Work
from certo.worker import HOME

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = (
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
"""What programs look up in /etc without meaning anything by it; no keys, no host's identity."""

_MEBIBYTE = 1 << 20


def mounts(work: Work, scratch: Path) -> list[str]:
    """The arguments that lay out the file system of one run.

    Order matters: a later mount covers an earlier one. What the run may write is memory and vanishes with it.
    """
    size = str(work.limits.memory_mebibytes * _MEBIBYTE)
    interpreter = work.interpreter
    shown = outermost(_spellings((work.root, *interpreter.readable, work.program.home, HOME)))
    arguments = ["--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/tmp"]
    for system in _SYSTEM:
        arguments += _system(Path(system))
    for name in _SETTINGS:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for place in shown:
        arguments += ["--ro-bind", str(place), str(place)]
    for hop in _hops(interpreter.executable):
        if not any(hop.is_relative_to(place) for place in (*shown, *map(Path, _SYSTEM))):
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


def outermost(places: Iterable[Path]) -> list[Path]:
    """The places that lie within none of the others and are not there anyhow, outer ones first."""
    kept: list[Path] = []
    for place in sorted(set(places), key=lambda path: (len(path.parts), path)):
        if place.exists() and not any(place.is_relative_to(outer) for outer in (*kept, *map(Path, _SYSTEM))):
            kept.append(place)
    return kept


def _system(place: Path) -> list[str]:
    """A system directory as it is: /lib is a link to /usr/lib on most systems, and programs read such links."""
    if place.is_symlink():
        return ["--symlink", os.readlink(place), str(place)]
    return ["--ro-bind", str(place), str(place)] if place.is_dir() else []


def _spellings(places: Iterable[Path]) -> Iterable[Path]:
    """Each place under its own name and under its real one, to which links that stay within it may point."""
    for place in places:
        yield place
        yield place.resolve()


def _hops(executable: Path) -> list[Path]:
    """The interpreter's executable and every link on the way to the real one."""
    hops = [executable]
    while hops[-1].is_symlink() and len(hops) < 40:
        hops.append(Path(os.path.normpath(hops[-1].parent / hops[-1].readlink())))
    return hops


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
