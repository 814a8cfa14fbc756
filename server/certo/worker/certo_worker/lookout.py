"""Looking after a process where the kernel neither limits its memory nor ends it when its parent dies: by looking."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Iterable, List, Optional, Tuple

_BETWEEN_SECONDS = 0.02
"""How long between two looks; a program can take some hundred MiB more than it may have meanwhile."""

if sys.platform == "darwin":
    from certo_worker.libproc import children as children
    from certo_worker.libproc import footprint as footprint
else:

    def footprint(pid: int) -> Optional[int]:
        """The memory a process makes the machine keep for it, in bytes; None when there is no such process."""
        try:
            with open("/proc/{}/statm".format(pid), "rb") as statm:
                return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return None

    def children(pid: int) -> List[int]:
        """The processes whose parent is `pid`; their dead, who are not yet reaped, count."""
        found = []
        for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
            try:
                with open("/proc/" + name + "/stat", "rb") as stat:
                    # The program's name is in parentheses and may itself hold any character.
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            if parent == pid:
                found.append(int(name))
        return found


class Lookout:
    """Watches the processes below this one; `full` says afterwards that they had taken too much memory."""

    def __init__(self, mebibytes: int, parent: int) -> None:
        """Let them have so many MiB together, and live as long as `parent`, which is our own (0: as long as we do)."""
        self._bytes = mebibytes << 20
        self._parent = parent
        self.full = False

    def wait(self) -> Tuple[int, int]:
        """Wait until a child ends, and kill them all when they may not go on; its process id and its wait status."""
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                return pid, status
            below = descendants(os.getpid())
            self.full = self.full or sum(footprint(one) or 0 for one in below) > self._bytes
            if self.full or (self._parent and os.getppid() != self._parent):
                kill(below)
            time.sleep(_BETWEEN_SECONDS)


def descendants(pid: int) -> List[int]:
    """Every process below `pid`."""
    found = generation = children(pid)
    while generation:
        generation = [child for parent in generation for child in children(parent)]
        found = found + generation
    return found


def kill(pids: Iterable[int]) -> None:
    """Kill each of them; one that is gone is as good as killed."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
