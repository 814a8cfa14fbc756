"""The living processes and those that belong to a run, read from /proc or, on macOS, from libproc."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from certo.vocabulary.records import dataclass

if sys.platform == "darwin":
    from certo.sandbox.process import libproc

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """One living process: its ids, when it started and the CPU seconds it has used, with its children that have ended.

    The start is in clock ticks since boot, on macOS in µs since 1970. There the children do not count.
    """

    pid: int
    parent: int
    session: int
    start: int
    cpu_seconds: float


def process_table() -> list[Process]:
    """Return every living process of this machine or container, without zombies."""
    return [process for pid in _pids() if (process := _look_at(pid)) is not None]


def start_of(pid: int) -> int:
    """Return the start of the living process `pid`, as in Process; 0 if there is none or it is unknown."""
    process = _look_at(pid)
    return process.start if process else 0


def descendants(pid: int) -> list[Process]:
    """Return every living process below `pid`, which itself is not among them; all processes are looked at."""
    children: dict[int, list[Process]] = {}
    for process in process_table():
        children.setdefault(process.parent, []).append(process)
    found, generation = [], children.get(pid, [])
    while generation:
        found += generation
        generation = [child for parent in generation for child in children.get(parent.pid, [])]
    return found


def tree(pid: int) -> list[Process]:
    """Return the process `pid`, if it lives, and every living process below it.

    The kernel's lists of children, where it keeps them, may lack one for a moment while another ends. That is good
    enough to count what processes use, at a look for each of them; to kill them, `descendants` looks at all there are.
    """
    if not _keeps_children():
        top = _look_at(pid)
        return [*([top] if top else []), *descendants(pid)]
    found, left = [], [pid]
    while left:
        one = left.pop()
        process = _look_at(one)
        if process is not None:
            found.append(process)
            left += _children(one)
    return found


def process_of(handle: int) -> int | None:
    """Return the id of the living process behind a descriptor; None if there is none (Linux only)."""
    try:
        facts = (_PROC / "self" / "fdinfo" / str(handle)).read_text(encoding="ascii")
    except OSError:
        return None
    number = next((int(line.split()[1]) for line in facts.splitlines() if line.startswith("Pid:")), -1)
    return number if number > 0 else None


def members(session: int, mark: str, since: int = 0) -> list[Process]:
    """Return every living process of `session`, and others with `mark`, unless empty, in their environment.

    If the first of them started at `since`, none is older, and the environments of older processes are not read.
    """
    needle = os.fsencode(mark)

    def belongs(process: Process) -> bool:
        if process.session == session:
            return True
        return bool(needle) and process.start >= since and needle in _environment_of(process.pid)

    return [process for process in process_table() if belongs(process)]


def kill(processes: Iterable[Process]) -> None:
    """Send SIGKILL to each process; processes that are already gone are ignored."""
    for process in processes:
        try:
            _kill(process)
        except (ProcessLookupError, PermissionError):
            # PermissionError: a program may have started something setuid, which is not ours to kill.
            continue


def _kill(process: Process) -> None:
    """Kill exactly this process: its number may have been reused since it was looked at."""
    held = _hold(process.pid)
    try:
        if start_of(process.pid) != process.start:
            return
        if sys.platform == "linux" and held is not None:
            signal.pidfd_send_signal(held, signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)
    finally:
        if held is not None:
            os.close(held)


def _hold(pid: int) -> int | None:
    """Return a descriptor that keeps a process's number from being reused; None where that is not allowed."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:
        return None


def _pids() -> list[int]:
    if sys.platform == "darwin":
        return libproc.pids()
    return [int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit()] if _PROC.is_dir() else []


def _look_at(pid: int) -> Process | None:
    if sys.platform == "darwin":
        seen = libproc.look_at(pid)
        return Process(pid, seen.parent, seen.session, seen.start, seen.cpu_seconds) if seen else None
    try:
        text = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    # The program's name stands in parentheses and may hold any character; proc(5) numbers the fields after it from 3.
    fields = text.rpartition(b")")[2].split()
    if fields[0] in (b"Z", b"X"):
        return None
    ticks = sum(int(each) for each in fields[11:15])
    return Process(pid, int(fields[1]), int(fields[3]), int(fields[19]), ticks / _ticks())


@cache
def _keeps_children() -> bool:
    """True if the kernel lists the children of each thread; see proc_pid_task(5)."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def _children(pid: int) -> list[int]:
    """Return the children of a process; none if it has ended."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    except OSError:
        # A thread that ends leaves its children to another one, for the next look.
        return []
    return found


def _environment_of(pid: int) -> bytes:
    if sys.platform == "darwin":
        return libproc.arguments_of(pid)
    try:
        return _read(f"/proc/{pid}/environ")
    except OSError:
        return b""


def _read(place: str) -> bytes:
    """Return the content of a file; `open` takes twice as long, and this is done for all processes again and again."""
    file = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return b"".join(iter(lambda: os.read(file, 65536), b""))
    finally:
        os.close(file)


@cache
def _ticks() -> int:
    """Return the number of clock ticks a second."""
    return os.sysconf("SC_CLK_TCK")
