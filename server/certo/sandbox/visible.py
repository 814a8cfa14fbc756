"""Which of the machine's places a run needs to see: what a Python needs, the project, and our own programs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from certo.sandbox.executor import Interpreter, Work
from certo.sandbox.secrets import hidden_in
from certo.worker import HOME

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
"""Where systems keep programs and libraries."""

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
"""What programs look up in /etc without meaning anything by it; no keys, no host's identity."""


def shown(root: Path, interpreter: Interpreter, home: Path) -> list[Path]:
    """The directories of a run of a program in `home` that are not the system's, each under all of its names."""
    return outermost(places(root, interpreter, home))


def places(root: Path, interpreter: Interpreter, home: Path) -> Iterable[Path]:
    """The directories a run needs, each under its own name and under its real one."""
    return spellings((root, *interpreter.readable, home, HOME))


def hidden_places(work: Work) -> list[str]:
    """The files and directories of the project that are empty to a run, each under all of its names."""
    return sorted({str(root / path) for root in spellings((work.root,)) for path in hidden_of(work)})


def hidden_of(work: Work) -> tuple[str, ...]:
    """The same, relative to the project's root."""
    return (*hidden_in(work.root, work.shown), *work.hidden)


def outermost(places: Iterable[Path]) -> list[Path]:
    """The places that lie within none of the others and are not there anyhow, outer ones first."""
    kept: list[Path] = []
    for place in sorted(set(places), key=lambda path: (len(path.parts), path)):
        if place.exists() and not any(place.is_relative_to(outer) for outer in (*kept, *map(Path, SYSTEM))):
            kept.append(place)
    return kept


def hops(executable: Path) -> list[Path]:
    """The interpreter's executable and every link on the way to the real one."""
    found = [executable]
    while found[-1].is_symlink() and len(found) < 40:
        found.append(Path(os.path.normpath(found[-1].parent / found[-1].readlink())))
    return found


def spellings(places: Iterable[Path]) -> Iterable[Path]:
    """Each place under its own name and under its real one, to which links that stay within it may point."""
    for place in places:
        yield place
        yield place.resolve()
