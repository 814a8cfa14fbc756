"""The order of a worker: one JSON file in the scratch directory, and the overlay's texts beside it."""

from __future__ import annotations

import io
import json
import os
import sys
import tokenize
from dataclasses import asdict
from pathlib import Path

from certo.sandbox.confinement.kernel_features import KernelFeatures, walls_order
from certo.sandbox.confinement.secrets import is_within
from certo.sandbox.confinement.visible_files import hidden_of, hidden_places, mounts_order
from certo.sandbox.executor import Limits, Work

_YEAR_2100 = 4102444800
"""Seconds since 1970. Bytecode records its source's time of change; no cached bytecode can have this one."""

_BACKGROUND_NICENESS = 15
"""Niceness of a background run. Someone waits for any other, so it has normal priority: beside busy programs a nice
process gets so little of a processor that a search would find nothing."""


def write_order(
    work: Work,
    scratch: Path,
    *,
    limits: Limits,
    alone: bool,
    walls: KernelFeatures,
    awaits: int | None = None,
    control: int | None = None,
) -> Path:
    """Write the order for one run into `scratch` and return its path.

    `alone` is true if the run gets namespaces of its own, where only its own processes count and ours are invisible;
    `walls` are the kernel features it applies as well. `awaits` is the pipe on which the worker, once prepared, waits
    for the rest of its order: the request and the overlay, which `write_rest` writes. With `control`, a socket, it
    becomes a zygote, which makes copies of itself in the directories below `scratch / "runs"`.
    """
    overlay = _write_copies(work, scratch)
    order = {
        "root": str(work.root),
        "home": str(work.program.home),
        "module": work.program.module,
        "request": dict(work.request),
        "overlay": overlay if awaits is None else {},
        "mounts": mounts_order(work, scratch, limits, overlay) if alone else None,
        "preparation": None if work.preparation is None else dict(work.preparation),
        "awaits": None if awaits is None else {"pipe": awaits, "rest": str(_rest(scratch))},
        "apart": None if work.apart is None else asdict(work.apart),
        "control": control,
        "hidden": hidden_places(work),
        "scratch": str(scratch),
        "limits": {
            **asdict(limits),
            "alone": alone,
            "niceness": _BACKGROUND_NICENESS if work.background else 0,
            "watched": sys.platform == "darwin",
        },
        "walls": walls_order(walls, work, scratch, alone=alone),
        "parent": 0 if alone else os.getpid(),
    }
    path = scratch / "order.json"
    path.write_text(json.dumps(order), encoding="utf-8")
    return path


def write_rest(work: Work, scratch: Path) -> None:
    """Write the rest of an order for a prepared worker: the request, the overlay, and its CPU time from now on.

    The texts go into the existing files, because those may have been bind-mounted over the project's.
    """
    rest = {
        "request": dict(work.request),
        "overlay": _write_copies(work, scratch),
        "cpu_seconds": work.limits.cpu_seconds,
    }
    _rest(scratch).write_text(json.dumps(rest), encoding="utf-8")


def _rest(scratch: Path) -> Path:
    # Beside the texts, because the confined worker may read that directory.
    return scratch / "overlay" / "rest.json"


def copies(work: Work, scratch: Path) -> list[Path]:
    """Return the paths of the files for the overlay's texts, in its order."""
    return [scratch / "overlay" / str(number) for number in range(len(work.overlay))]


def _write_copies(work: Work, scratch: Path) -> dict[str, str | None]:
    """Write the overlay's texts except for protected files; return the path of each copy by the path it replaces.

    None stands for a deleted file.
    """
    protected, hidden = _protected(work), hidden_of(work)
    written: dict[str, str | None] = {}
    for copy, (relative, text) in zip(copies(work, scratch), work.overlay.items(), strict=True):
        # A hidden file stays hidden in the editor's unsaved version too.
        if relative in protected or any(is_within(relative, place) for place in hidden):
            continue
        written[relative] = None if text is None else str(copy)
        if text is not None:
            copy.write_bytes(_source_bytes(text))
            os.utime(copy, (_YEAR_2100, _YEAR_2100))
    return written


def _protected(work: Work) -> set[str]:
    """Return the overlaid files that are protected, under any of their names."""
    asked = [relative for relative in work.overlay if relative not in work.unprotected]
    places = {name for relative in work.protected if asked for name in _names(work.root / relative)}
    return {
        relative
        for relative in asked
        if any(places.intersection((name, *name.parents)) for name in _names(work.root / relative))
    }


def _names(path: Path) -> tuple[Path, Path]:
    """Return the real paths of a file and, for a link, of its target."""
    return path.parent.resolve() / path.name, path.resolve()


def _source_bytes(text: str) -> bytes:
    """Return a source encoded by its coding line, so that a reader that follows that line gets the text back."""
    plain = text.encode("utf-8", "surrogatepass")
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(plain).readline)[0]
        # That codec adds a byte order mark, which the text already has.
        return plain if encoding == "utf-8-sig" else text.encode(encoding)
    except (SyntaxError, UnicodeError):
        return plain
