"""A run in a Windows job object: its limits, and the end of all its processes (not tried on a real Windows yet)."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any

from certo.sandbox.executor import Limits
from certo.sandbox.windows import structures as win

_MEBIBYTE = 1 << 20
_INTERPRETER_MEBIBYTES = 64
"""Memory of an interpreter before it has run a line, which is not charged to the program."""


def job_limits(limits: Limits) -> win.JobLimits:
    """Return the limits of a run for a job object, which has none for the size of a file."""
    memory = (limits.memory_mebibytes + _INTERPRETER_MEBIBYTES) * _MEBIBYTE
    asked = win.JobLimits(process_memory=memory, job_memory=memory)
    asked.basic = win.JobBasicLimits(
        per_job_user_time=math.ceil(limits.cpu_seconds * win.TICKS_PER_SECOND),
        active_processes=limits.processes,
        flags=win.LIMIT_JOB_TIME
        | win.LIMIT_ACTIVE_PROCESS
        | win.LIMIT_PROCESS_MEMORY
        | win.LIMIT_JOB_MEMORY
        | win.LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        | win.LIMIT_KILL_ON_JOB_CLOSE,
    )
    return asked


if sys.platform == "win32":

    class Job:
        """A job object; it ends all its processes when its handle is closed, as happens when the daemon dies."""

        def __init__(self, limits: Limits) -> None:
            """Make one with these limits.

            Raises:
                OSError: Windows refused; the message quotes it.
            """
            self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
            self._kernel.OpenProcess.restype = ctypes.c_void_p
            self._handle = ctypes.c_void_p(_checked(self._kernel.CreateJobObjectW(None, None)))
            self._set(win.JOB_OBJECT_EXTENDED_LIMIT, job_limits(limits))
            self._set(win.JOB_OBJECT_BASIC_UI_RESTRICTIONS, ctypes.c_uint32(win.UI_EVERYTHING))

        def take(self, pid: int, /) -> None:
            """Take in a process that was created suspended, and resume it; see `Enclosure`."""
            wanted = win.PROCESS_TERMINATE | win.PROCESS_SET_QUOTA | win.PROCESS_SUSPEND_RESUME
            process = ctypes.c_void_p(_checked(self._kernel.OpenProcess(wanted, 0, pid)))
            try:
                _checked(self._kernel.AssignProcessToJobObject(self._handle, process))
                # No documented call resumes a process without a handle of its first thread.
                if ctypes.WinDLL("ntdll").NtResumeProcess(process) != 0:
                    raise OSError("the process could not be resumed")
            finally:
                self._kernel.CloseHandle(process)

        def kill(self) -> None:
            """Kill all processes in it."""
            self._kernel.TerminateJobObject(self._handle, 1)

        def cpu_seconds(self) -> float:
            """Return the CPU seconds used by all processes ever in it."""
            used = win.JobAccounting()
            size = ctypes.sizeof(used)
            kind = win.JOB_OBJECT_BASIC_ACCOUNTING
            _checked(self._kernel.QueryInformationJobObject(self._handle, kind, ctypes.byref(used), size, None))
            return float(used.total_user_time + used.total_kernel_time) / win.TICKS_PER_SECOND

        def close(self) -> None:
            """Kill all processes in it and release it."""
            self._kernel.CloseHandle(self._handle)

        def _set(self, kind: int, asked: Any) -> None:
            size = ctypes.sizeof(asked)
            _checked(self._kernel.SetInformationJobObject(self._handle, kind, ctypes.byref(asked), size))

    def _checked(result: int) -> int:
        if not result:
            raise ctypes.WinError(ctypes.get_last_error())
        return result
