"""How many processors this process may use, which in a container or under a quota are fewer than there are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_PROC = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")


def processors(membership: Path = _PROC, cgroups: Path = _CGROUPS) -> int:
    """How many processors this process may keep busy; at least one, though its share may be less.

    That is the number it may be scheduled on, or the quota of the control groups it is in where that is smaller; see
    cgroups(7). `membership` is where the kernel says which those are, `cgroups` where they are shown.
    """
    affine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min((affine, *_quotas(membership, cgroups)))))


def _quotas(membership: Path, cgroups: Path) -> Iterator[float]:
    """The quota of each control group above this process that has one, in processors."""
    for line in _text_of(membership).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            for group in _upwards(cgroups, path):
                yield from _quota(*(_text_of(group / "cpu.max").split() or ("max", "1")))
        elif "cpu" in controllers.split(","):
            for group in _upwards(cgroups / controllers, path):
                yield from _quota(_text_of(group / "cpu.cfs_quota_us"), _text_of(group / "cpu.cfs_period_us"))


def _upwards(place: Path, path: str) -> Iterator[Path]:
    """A control group and all above it: any of them may have a quota for everything below it."""
    relative = PurePosixPath(path.lstrip("/"))
    return (place / group for group in (relative, *relative.parents))


def _quota(microseconds: str, period: str) -> Iterator[float]:
    """A quota of so many microseconds in each period; none where the kernel says `max` or -1, or there is no file."""
    if microseconds.strip().isdecimal() and int(period) > 0:
        yield int(microseconds) / int(period)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
