"""The processes of macOS, which has no /proc, read through libproc and sysctl (not tried on a real macOS yet)."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from certo.vocabulary.records import dataclass

_ROOM_FOR_NEW = 64
_BSD_INFO, _TASK_INFO = 3, 4
_CTL_KERN, _KERN_ARGMAX, _KERN_PROCARGS2 = 1, 8, 49
_ZOMBIE = 5


class BsdInfo(ctypes.Structure):
    """`struct proc_bsdinfo` of <sys/proc_info.h>."""

    _fields_ = (
        ("flags", ctypes.c_uint32),
        ("status", ctypes.c_uint32),
        ("exit_status", ctypes.c_uint32),
        ("pid", ctypes.c_uint32),
        ("parent", ctypes.c_uint32),
        ("ids", ctypes.c_uint32 * 6),
        ("reserved", ctypes.c_uint32),
        ("command", ctypes.c_char * 16),
        ("name", ctypes.c_char * 32),
        ("files", ctypes.c_uint32),
        ("group", ctypes.c_uint32),
        ("job_count", ctypes.c_uint32),
        ("terminal", ctypes.c_uint32),
        ("terminal_group", ctypes.c_uint32),
        ("nice", ctypes.c_int32),
        ("start_seconds", ctypes.c_uint64),
        ("start_microseconds", ctypes.c_uint64),
    )


class TaskInfo(ctypes.Structure):
    """`struct proc_taskinfo` of <sys/proc_info.h>; the times are in ns."""

    _fields_ = (
        ("virtual_size", ctypes.c_uint64),
        ("resident_size", ctypes.c_uint64),
        ("total_user", ctypes.c_uint64),
        ("total_system", ctypes.c_uint64),
        ("threads_user", ctypes.c_uint64),
        ("threads_system", ctypes.c_uint64),
        ("counts", ctypes.c_int32 * 12),
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """Facts about one living process: its parent, its session, its start in µs since 1970, its CPU seconds."""

    parent: int
    session: int
    start: int
    cpu_seconds: float


def pids() -> list[int]:
    """Return the ids of all processes."""
    library = _library("libproc")
    room = int(library.proc_listallpids(None, 0)) + _ROOM_FOR_NEW
    found = (ctypes.c_int * room)()
    count = int(library.proc_listallpids(found, ctypes.sizeof(found)))
    return list(found[: max(0, count)])


def look_at(pid: int) -> Seen | None:
    """Return the facts about the process `pid`; None if it is dead or another user's."""
    library = _library("libproc")
    about, used = BsdInfo(), TaskInfo()
    size = library.proc_pidinfo(pid, _BSD_INFO, ctypes.c_uint64(0), ctypes.byref(about), ctypes.sizeof(about))
    if size != ctypes.sizeof(about) or about.status == _ZOMBIE:
        return None
    library.proc_pidinfo(pid, _TASK_INFO, ctypes.c_uint64(0), ctypes.byref(used), ctypes.sizeof(used))
    try:
        session = os.getsid(pid)
    except OSError:
        return None
    start = about.start_seconds * 1_000_000 + about.start_microseconds
    return Seen(about.parent, session, start, (used.total_user + used.total_system) / 1e9)


def arguments_of(pid: int) -> bytes:
    """Return the arguments and environment the process `pid` was started with; empty if not available."""
    library = _library("libSystem")
    most, size = ctypes.c_int(0), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    if library.sysctl((ctypes.c_int * 2)(_CTL_KERN, _KERN_ARGMAX), 2, ctypes.byref(most), ctypes.byref(size), None, 0):
        return b""
    text, size = ctypes.create_string_buffer(most.value), ctypes.c_size_t(most.value)
    if library.sysctl((ctypes.c_int * 3)(_CTL_KERN, _KERN_PROCARGS2, pid), 3, text, ctypes.byref(size), None, 0):
        return b""
    return text.raw[: size.value]


def _library(name: str) -> Any:
    return ctypes.CDLL(f"/usr/lib/{name}.dylib")
