"""Telling one life of a process from another's, so that the search of a dead one can be known for it."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from certo.sandbox.process.process_table import start_of

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@cache
def own_life() -> str:
    """This process in words that no other has: machine, boot, number and start."""
    return "/".join((platform.node(), _boot(), str(os.getpid()), str(start_of(os.getpid()))))


def is_over(life: str) -> bool:
    """Whether that process is known to be dead; of one on another machine, or where none can be seen, it is not."""
    node, boot, pid, start = life.split("/")
    if node != platform.node() or start == "0":
        return False
    return boot != _boot() or start_of(int(pid)) != int(start)


@cache
def _boot() -> str:
    """What tells this run of the machine from the one before; empty where the kernel does not say."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
