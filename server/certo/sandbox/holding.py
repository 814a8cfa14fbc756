"""Files without a name that processes keep: deleted and still open, or only mapped. Linux tells of them."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

_BLOCK = 512
_DELETED = b" (deleted)"

File = tuple[int, int]
"""A file by its device and its number."""


@dataclass(slots=True)
class Held:
    """The files without a name that are held, each with the bytes that it takes.

    `uncounted` says that there may be more: what is mapped and not open, and what is on its way through a socket.
    """

    sizes: dict[File, int] = field(default_factory=dict)
    uncounted: bool = False


def held_by(processes: Iterable[int]) -> Held:
    """Look for what some processes hold; those that are gone, or not ours to look at, hold nothing."""
    held = Held()
    if sys.platform == "linux":
        for process in processes:
            # A thread may have a table of open files of its own.
            for thread in _names(f"/proc/{process}/task"):
                _look_at_open(f"/proc/{process}/task/{thread}", held)
            held.uncounted |= any(file not in held.sizes for file in _mapped(process))
    return held


def _look_at_open(place: str, held: Held) -> None:
    for name in _names(f"{place}/fd"):
        with suppress(OSError):
            about = os.stat(f"{place}/fd/{name}")
            if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                held.sizes[about.st_dev, about.st_ino] = about.st_blocks * _BLOCK
            elif stat.S_ISSOCK(about.st_mode):
                held.uncounted |= _carries(f"{place}/fdinfo/{name}")


def _carries(place: str) -> bool:
    """True if descriptors are on their way to a socket, which is what `place` tells about."""
    with open(place, "rb") as facts:
        return any(line.startswith(b"scm_fds:") and int(line.split()[1]) > 0 for line in facts)


def _mapped(process: int) -> Iterator[File]:
    """The files without a name that a process has mapped into its memory."""
    with suppress(OSError), open(f"/proc/{process}/maps", "rb") as maps:
        for line in maps:
            if line.rstrip(b"\n").endswith(_DELETED):
                _addresses, _rights, _offset, device, number = line.split(None, 5)[:5]
                major, _, minor = device.partition(b":")
                yield os.makedev(int(major, 16), int(minor, 16)), int(number)


def _names(place: str) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:
        return []
