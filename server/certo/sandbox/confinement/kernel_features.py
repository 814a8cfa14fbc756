"""Kernel features that confine a run by themselves: detected by trying, requested in each order.

Linux has Landlock and seccomp; macOS has Seatbelt.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.seatbelt import hiding, profile
from certo.sandbox.confinement.visible_files import SETTINGS, SYSTEM, hidden_places, hops, shown
from certo.sandbox.executor import Interpreter, Policy, Work
from certo.sandbox.process.command import ask
from certo.sandbox.process.scratch import RUNS
from certo.vocabulary.records import dataclass

_SIGNALS_SINCE = 6
_DEVICES_READ = ("/dev/random", "/dev/urandom")
_DEVICES_WRITTEN = ("/dev/null", "/dev/zero", "/dev/full")
_MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")
"""Files that numeric libraries read to size their work."""

CONFIGURATIONS = (
    "pyproject.toml",
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "tox.ini",
    "setup.cfg",
)
"""Configuration files that pytest looks for above the root, where an unreadable one would stop it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelFeatures:
    """The confinement features of a kernel: Landlock version (0 for none), system call filter, Seatbelt.

    `integrity` means that a process can give up its right to write to the user's files, as on Windows.
    """

    landlock: int
    seccomp: bool
    seatbelt: bool = False
    integrity: bool = False

    @property
    def whole(self) -> bool:
        """True if they suffice alone. Landlock and seccomp each leave gaps that the other closes."""
        return self.seatbelt or (self.landlock > 0 and self.seccomp)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the available features."""
        there = {
            "Landlock": self.landlock,
            "seccomp": self.seccomp,
            "Seatbelt": self.seatbelt,
            "low integrity": self.integrity,
        }
        return tuple(name for name, offered in there.items() if offered)

    def beyond(self, policy: Policy) -> str:
        """Return the things these features leave within reach on their own, in words; empty if there are none."""
        if self.seatbelt:
            # Without a supervisor that adopts orphans, well hidden processes are not found at the end of a run.
            return "your processor, by processes that hide until their time is used up" if policy.forks else ""
        if policy.executes and self.landlock >= _SIGNALS_SINCE:
            return "modes and times of your files"
        if policy.executes:
            return "modes and times of your files, and signals to your processes"
        return "signals to your processes" if policy.forks and self.landlock < _SIGNALS_SINCE else ""


NO_WALLS = KernelFeatures(landlock=0, seccomp=False)
"""The features of a kernel that has none of them."""

FULL_WALLS = KernelFeatures(landlock=_SIGNALS_SINCE, seccomp=True)
"""The features of a kernel from 6.12 on."""


async def detect_kernel_features() -> KernelFeatures:
    """Return this machine's kernel features, tried out in a separate process; none if the trial fails."""
    try:
        answer = await ask([sys.executable, "-S", "-B", str(WORKER_HOME / "certo_worker"), "probe"], environ={})
        found = json.loads(answer.out)
    except (OSError, TimeoutError, ValueError):
        # A seccomp filter that kills instead of refusing, or a Python without ctypes: no feature can be used.
        return NO_WALLS
    return KernelFeatures(**found)


def walls_order(walls: KernelFeatures, work: Work, scratch: Path, *, alone: bool) -> dict[str, Any]:
    """Return the part of an order that requests confinement by the kernel; `alone` as in the order."""
    policy = work.policy
    return {
        "landlock": walls.landlock > 0,
        "seccomp": walls.seccomp,
        "integrity": walls.integrity,
        "seatbelt": profile(work, scratch) if walls.seatbelt else "",
        "seatbelt_hiding": hiding(work) if walls.seatbelt else "",
        "alone": alone,
        "forks": policy.forks,
        "executes": policy.executes,
        "connects": policy.connects,
        # In a file system of its own, a run has empty mounts over them.
        "hidden": [] if alone else hidden_places(work),
        "readable": list(_readable(work, scratch, alone=alone)),
        "writable": [str(place) for place in _writable(scratch, alone=alone)],
    }


def _readable(work: Work, scratch: Path, *, alone: bool) -> tuple[str, ...]:
    # A zygote is granted the places of all its copies, which are many.
    era = scratch.parent if scratch.parent.name == RUNS else scratch
    return (*_lasting(work.root, work.interpreter, work.program.home, era, alone=alone), str(scratch / "overlay"))


@lru_cache(maxsize=16)
def _lasting(root: Path, interpreter: Interpreter, home: Path, _era: Path, *, alone: bool) -> tuple[str, ...]:
    """Return the places that are readable in all runs of one era."""
    places = [
        *shown(root, interpreter, home),
        *map(Path, (*SYSTEM, *_DEVICES_READ, *_MACHINE)),
        *(Path("/etc") / name for name in SETTINGS),
        # Debian keeps each Python's sitecustomize.py there, which every further Python that is started reads.
        *Path("/etc").glob("python3*"),
        *hops(interpreter.executable),
    ]
    if alone:
        places.append(Path("/proc"))
    else:
        places += [above / name for above in root.resolve().parents for name in CONFIGURATIONS]
    return tuple(sorted(set(map(str, places))))


def _writable(scratch: Path, *, alone: bool) -> Iterator[Path]:
    yield scratch / "home"
    yield scratch / "tmp"
    yield scratch / RUNS
    yield from map(Path, _DEVICES_WRITTEN)
    if alone:
        # Both are in memory of the run's own there, and vanish with it.
        yield from (Path("/tmp"), Path("/dev/shm"))


def in_words(place: str, walls: KernelFeatures, policy: Policy, *, network: bool) -> str:
    """Return the confinement of runs in words. `network` is True if they have a network of their own."""
    means = ", ".join((*([place] if place else []), *walls.names))
    kept = ["no network but its own" if policy.connects and network else "no network"]
    kept += [] if policy.forks else ["no new processes"]
    sentence = f"{means}: {', '.join([*kept, 'project read-only'])}"
    beyond = "" if network else walls.beyond(policy)
    return f"{sentence}; within reach: {beyond}" if beyond else sentence
