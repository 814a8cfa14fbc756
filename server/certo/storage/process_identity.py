"""Identity of a process that outlives reuse of its number, so that the searches of dead processes can be recognized."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from certo.sandbox.process.process_table import start_of

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@cache
def own_life() -> str:
    """Return the unique identity of this process: machine, boot, process number and start time."""
    return "/".join((platform.node(), _boot(), str(os.getpid()), str(start_of(os.getpid()))))


def is_over(life: str) -> bool:
    """True if that process is known to be dead; False if it is on another machine or cannot be looked up."""
    node, boot, pid, start = life.split("/")
    if node != platform.node() or start == "0":
        return False
    return boot != _boot() or start_of(int(pid)) != int(start)


@cache
def _boot() -> str:
    """Return the id of the current boot; empty if the kernel does not provide one."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
