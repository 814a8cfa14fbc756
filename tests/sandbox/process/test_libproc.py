"""Reading macOS's process table from answers laid out by hand as <sys/proc_info.h> has them; none came from a Mac."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

import pytest

from certo.sandbox.process import libproc

RUNNING, ZOMBIE = 2, 5
PARENT = 77


def bsd_info(status: int) -> bytes:
    """`struct proc_bsdinfo`: five numbers, six ids, one reserved, two names, six numbers, the start in s and µs."""
    head = struct.pack("<5I6II", 0, status, 0, os.getpid(), PARENT, *[501] * 6, 0)
    names = struct.pack("<16s32s", b"python", b"python")
    return head + names + struct.pack("<5Ii2Q", 9, 1, 0, 0, 0, 0, 1_700_000_000, 250_000)


def task_info() -> bytes:
    """`struct proc_taskinfo`: two sizes, user and system time of the task, those of its threads, twelve counts."""
    return struct.pack("<6Q12i", 1 << 32, 1 << 20, 1_500_000_000, 500_000_000, 0, 0, *[0] * 12)


class LaidOutByHand:
    """Stands in for libproc and libSystem with answers made of their headers: it shows that the layout is read rightly.

    No answer was recorded on a Mac, so it cannot show that macOS answers like this.
    """

    def __init__(self, status: int = RUNNING, arguments: bytes = b"") -> None:
        self._status = status
        self._arguments = arguments

    def proc_listallpids(self, room: Any, size: int) -> int:
        if room is not None:
            room[:3] = [1, PARENT, os.getpid()]
        return 3

    def proc_pidinfo(self, pid: int, flavor: int, argument: ctypes.c_uint64, room: Any, size: int) -> int:
        answer = {3: bsd_info(self._status), 4: task_info()}[flavor]
        if pid != os.getpid():
            return 0
        ctypes.memmove(room, answer, len(answer))
        return len(answer)

    def sysctl(self, name: Any, names: int, room: Any, size: Any, new: None, new_size: int) -> int:
        if list(name) == [1, 8]:
            ctypes.cast(room, ctypes.POINTER(ctypes.c_int))[0] = 4096
            return 0
        if list(name) != [1, 49, os.getpid()]:
            return -1
        ctypes.memmove(room, self._arguments, len(self._arguments))
        ctypes.cast(size, ctypes.POINTER(ctypes.c_size_t))[0] = len(self._arguments)
        return 0


def answering(monkeypatch: pytest.MonkeyPatch, answers: LaidOutByHand) -> None:
    monkeypatch.setattr(libproc, "_library", lambda _: answers)


def test_processes_of_macos_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, LaidOutByHand())
    assert libproc.pids() == [1, PARENT, os.getpid()]


def test_a_process_of_macos_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, LaidOutByHand())
    assert libproc.look_at(os.getpid()) == libproc.Seen(PARENT, os.getsid(0), 1_700_000_000_250_000, 2.0)


@pytest.mark.parametrize(("status", "pid"), [(ZOMBIE, os.getpid()), (RUNNING, 1)], ids=["zombie", "another user's"])
def test_other_processes_are_passed_over(monkeypatch: pytest.MonkeyPatch, status: int, pid: int) -> None:
    answering(monkeypatch, LaidOutByHand(status))
    assert libproc.look_at(pid) is None


def test_a_start_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """KERN_PROCARGS2 gives the number of arguments, the program, its arguments, and the environment after them."""
    whole = struct.pack("<i", 1) + b"/usr/bin/python\0\0\0python\0CERTO_RUN=1\0"
    answering(monkeypatch, LaidOutByHand(arguments=whole))
    assert libproc.arguments_of(os.getpid()) == whole
    assert libproc.arguments_of(1) == b""
