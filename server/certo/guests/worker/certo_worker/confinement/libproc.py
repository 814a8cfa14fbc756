"""Process information on macOS by libproc, in place of /proc (not tried on a real macOS yet)."""

from __future__ import annotations

import ctypes
from typing import Any, List, Optional

_RUSAGE_V0 = 0
_MAX_CHILDREN = 4096


class RusageV0(ctypes.Structure):
    """`struct rusage_info_v0` of <sys/resource.h>; the times are in units of the machine's own clock."""

    _fields_ = [
        ("uuid", ctypes.c_uint8 * 16),
        ("user_time", ctypes.c_uint64),
        ("system_time", ctypes.c_uint64),
        ("idle_wakeups", ctypes.c_uint64),
        ("interrupt_wakeups", ctypes.c_uint64),
        ("pageins", ctypes.c_uint64),
        ("wired_size", ctypes.c_uint64),
        ("resident_size", ctypes.c_uint64),
        ("footprint", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("exit", ctypes.c_uint64),
    ]


def footprint(pid: int) -> Optional[int]:
    """Return the physical memory of a process in bytes; None if there is no such process."""
    used = RusageV0()
    if _library().proc_pid_rusage(pid, _RUSAGE_V0, ctypes.byref(used)) != 0:
        return None
    return int(used.footprint)


def children(pid: int) -> List[int]:
    """Return the living processes whose parent is `pid`."""
    found = (ctypes.c_int * _MAX_CHILDREN)()
    count = _library().proc_listchildpids(pid, found, ctypes.sizeof(found))
    return list(found[: max(0, count)])


def processes() -> int:
    """Return the number of processes on this machine, of all users."""
    return int(_library().proc_listallpids(None, 0))


def _library() -> Any:
    return ctypes.CDLL("/usr/lib/libproc.dylib")
