"""Limits on a process before it runs untrusted code: rlimits, and its end with its parent."""

from __future__ import annotations

import functools
import math
import os
import sys
from typing import Any

if sys.platform != "win32":
    import resource

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MEBIBYTE = 1 << 20
_OPEN_FILES = 512


def die_with_parent(signal_number: int) -> bool:
    """Have the kernel send this process a signal when its parent dies; return False if the kernel cannot.

    The caller compares `os.getppid()` afterwards: a parent that died before this call sends no signal.
    """
    return _prctl(_PR_SET_PDEATHSIG, signal_number)


def adopt_orphans() -> bool:
    """Become the parent of every descendant that loses its own, so that none is lost from view (Linux only)."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def limit(limits: dict[str, Any]) -> None:
    """Set the limits of one run on this process and all it starts; the keys are those of the executor's Limits.

    `alone` means that the run has a user namespace of its own, where the kernel counts only its own processes;
    `niceness` is absolute. On Windows the job object limits a run instead.
    """
    if sys.platform == "win32":
        return
    limit_cpu(limits["cpu_seconds"])
    # Address space mapped already, by the interpreter and its libraries, is not charged to the program.
    _lower(resource.RLIMIT_AS, _address_space() + limits["memory_mebibytes"] * _MEBIBYTE)
    _lower(resource.RLIMIT_FSIZE, limits["file_mebibytes"] * _MEBIBYTE)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
    # Memory that cannot be swapped out and queues in the kernel are not counted as address space.
    for name in ("RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE"):
        if hasattr(resource, name):
            _lower(getattr(resource, name), 0)
    if hasattr(resource, "RLIMIT_NPROC"):
        others = 0 if limits["alone"] else _others_on_this_machine()
        if others is not None:
            _lower(resource.RLIMIT_NPROC, others + limits["processes"])
    step_back(limits["niceness"])


def step_back(niceness: int) -> None:
    """Raise niceness to `niceness`, unless it is higher already.

    Many kernels distribute processors among sessions first, whatever the niceness of their processes, see sched(7) on
    autogroups: so the session, which must be a run's own, gets it too. Such a kernel accepts only a few of these
    requests per second from ordinary users; a run whose request is refused has its session's normal share.
    """
    own = os.nice(0)
    os.nice(max(0, niceness - own))
    try:
        with open("/proc/self/autogroup", "w", encoding="ascii") as group:
            group.write(str(max(own, niceness)))
    except OSError:
        return


def limit_cpu(seconds: float) -> None:
    """Limit the total CPU seconds of this process, including those used already."""
    if sys.platform == "win32":
        return
    whole = max(1, math.ceil(seconds))
    # One second after the polite SIGXCPU, which a program may catch, comes SIGKILL.
    _lower(resource.RLIMIT_CPU, whole, whole + 1)


def _lower(kind: int, soft: int, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(kind)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(kind, (soft, hard))
    except (OSError, ValueError):
        # macOS refuses RLIMIT_AS below the mapped size; there the supervisor watches memory use.
        return


def _address_space() -> int:
    """Return the address space this process has mapped, in bytes; 0 if /proc does not say."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _others_on_this_machine() -> int | None:
    """Return the number of threads on this machine, of all users; None if unknown. On macOS, of processes.

    RLIMIT_NPROC counts all processes of the user, not those of the run. The machine's total is an upper bound of these
    that costs one read, so a limit of that plus the budget stops a fork bomb and never an honest program.
    """
    if sys.platform == "darwin":
        from certo_worker.confinement import libproc

        return libproc.processes()
    try:
        with open("/proc/loadavg", "rb") as loadavg:
            return int(loadavg.read().split()[3].split(b"/")[1])
    except OSError:
        return None


def _prctl(option: int, argument: int) -> bool:
    try:
        return bool(_libc().prctl(option, argument, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


@functools.lru_cache(maxsize=None)
def _libc() -> Any:
    import ctypes  # a Python built without libffi has none

    return ctypes.CDLL(None)
