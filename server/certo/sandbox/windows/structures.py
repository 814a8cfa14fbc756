"""Structures and constants of the Windows API that certo uses, by their names in winnt.h.

They use types of fixed size, so that they can be checked on any 64-bit system.
"""

from __future__ import annotations

import ctypes

JOB_OBJECT_BASIC_ACCOUNTING = 1
JOB_OBJECT_BASIC_UI_RESTRICTIONS = 4
JOB_OBJECT_EXTENDED_LIMIT = 9
"""Class of the structure passed in a call about a job object."""

LIMIT_JOB_TIME = 0x4
LIMIT_ACTIVE_PROCESS = 0x8
LIMIT_PROCESS_MEMORY = 0x100
LIMIT_JOB_MEMORY = 0x200
LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x400
LIMIT_KILL_ON_JOB_CLOSE = 0x2000

UI_EVERYTHING = 0xFF
"""No access to windows of others, clipboard, settings, desktop, global atoms, or logging off."""

CREATE_SUSPENDED = 0x4
BELOW_NORMAL_PRIORITY_CLASS = 0x4000
CREATE_NO_WINDOW = 0x8000000

PROCESS_TERMINATE = 0x1
PROCESS_SET_QUOTA = 0x100
PROCESS_SUSPEND_RESUME = 0x800

ERROR_NOT_ENOUGH_QUOTA = 1816
"""Exit code of a process that its job ended for the time it used."""

TICKS_PER_SECOND = 10_000_000
"""Windows counts time in units of 100 ns."""


class JobBasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION; the times are in 100 ns."""

    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_uint64),
        ("maximum_working_set", ctypes.c_uint64),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_uint64),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class JobLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; sizes are in bytes."""

    _fields_ = (
        ("basic", JobBasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_uint64),
        ("job_memory", ctypes.c_uint64),
        ("peak_process_memory", ctypes.c_uint64),
        ("peak_job_memory", ctypes.c_uint64),
    )


class JobAccounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION; the times are in 100 ns."""

    _fields_ = (
        ("total_user_time", ctypes.c_int64),
        ("total_kernel_time", ctypes.c_int64),
        ("period_user_time", ctypes.c_int64),
        ("period_kernel_time", ctypes.c_int64),
        ("page_faults", ctypes.c_uint32),
        ("total_processes", ctypes.c_uint32),
        ("active_processes", ctypes.c_uint32),
        ("terminated_processes", ctypes.c_uint32),
    )
