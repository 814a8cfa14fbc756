"""Supervisor: the first process of a run, which keeps the program's process and lets nothing survive it."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import traceback
from types import FrameType
from typing import Callable, Iterable, List, NoReturn, Optional, Tuple

from certo_worker.confinement import limits

_BETWEEN_SECONDS = 0.02
"""Interval between two checks; in it a program can exceed its memory limit by some hundred MiB."""

if sys.platform == "darwin":
    from certo_worker.confinement.libproc import children, footprint
else:

    def footprint(pid: int) -> Optional[int]:
        """Return the physical memory of a process in bytes; None if there is no such process."""
        try:
            with open("/proc/{}/statm".format(pid), "rb") as statm:
                return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return None

    def children(pid: int) -> List[int]:
        """Return the child processes of `pid`, zombies included."""
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
    """Watches the processes below this one; `full` is True if they exceeded the memory limit."""

    def __init__(self, mebibytes: int, parent: int) -> None:
        """Limit their total memory to `mebibytes`, and their life to that of our parent `parent` (0: to ours)."""
        self._bytes = mebibytes << 20
        self._parent = parent
        self.full = False

    def wait(self) -> Tuple[int, int]:
        """Wait until a child ends, and kill them all if a limit is exceeded; return its process id and wait status."""
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
    """Return every process below `pid`."""
    found = generation = children(pid)
    while generation:
        generation = [child for parent in generation for child in children(parent)]
        found = found + generation
    return found


def kill(pids: Iterable[int]) -> None:
    """Kill each process; those already gone are ignored."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


if sys.platform != "win32":
    import resource


def keep(
    program: Callable[[], int],
    ended: int,
    parent: int,
    *,
    hidden: bool,
    privileged: bool,
    watched: Optional[int] = None,
) -> NoReturn:
    """Run `program` in a process of its own; when it ends, end all it started and report on the pipe `ended`.

    The report is two JSON lines: one when the run begins, one with the exit status (minus the signal's number for a
    death by signal) and the CPU seconds of everything that ran. The program cannot write them: its process has no such
    pipe. `parent` is the process that started us, or 0 if a namespace hides it. `hidden` protects our memory, and with
    it the report, from the program, if nothing else keeps it off /proc. `privileged` means that we were started with
    capabilities, which the program's process needs before the program runs, and we do not. `watched` is the memory
    limit in MiB that we enforce, on systems whose kernel neither does that nor ends us with our parent.
    """
    limits.adopt_orphans()
    signal.signal(signal.SIGTERM, _stop)
    # If the first process of a namespace is killed, the kernel kills all others; any other has to end them itself.
    limits.die_with_parent(signal.SIGKILL if os.getpid() == 1 else signal.SIGTERM)
    # If the parent died before the request, no one reads our report; in a namespace that is the only sign of it.
    if (parent and os.getppid() != parent) or not _is_read(ended):
        os._exit(1)
    if hidden:
        from certo_worker.confinement import (
            privileges,  # it needs ctypes, which only those who ask for walls are sure to have
        )

        privileges.hide()
    os.set_inheritable(ended, False)
    _report(ended, {"started": True})
    keeper = os.getpid()
    # The program gets a process of its own, so that whatever it does to that one, the report is written here, where no
    # code of the project runs.
    child = os.fork()
    if child == 0:
        _become_program(program, ended, keeper)
    if privileged:
        from certo_worker.confinement import privileges  # as above

        privileges.drop()
    lookout = None if watched is None else Lookout(watched, parent)
    try:
        status = _wait_for(child, lookout)
    finally:
        _end_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    full = lookout is not None and lookout.full
    _report(ended, {"status": status, "cpu": used.ru_utime + used.ru_stime, "full": full})
    os._exit(0)


def _is_read(pipe: int) -> bool:
    """True if someone holds the reading end of a pipe we write to."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(pipe, 0)
    return not poll.poll(0)


def _become_program(program: Callable[[], int], ended: int, keeper: int) -> NoReturn:
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(ended)
        os.setpgid(0, 0)
        limits.die_with_parent(signal.SIGKILL)
        if os.getppid() == keeper:
            status = program()
    except BaseException:
        traceback.print_exc()
    finally:
        leave(status)


def leave(status: int) -> NoReturn:
    """End this process at once: exit hooks and threads left by the program have no part in the run any more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the program may have closed or replaced it
            continue
    os._exit(status)


def _wait_for(child: int, lookout: Optional[Lookout]) -> int:
    """Reap processes until `child` ends; return its exit code, or minus the number of the signal that killed it."""
    while True:
        pid, status = os.waitpid(-1, 0) if lookout is None else lookout.wait()
        if pid == child:
            return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _end_all() -> None:
    """Kill and reap every descendant: orphans of a killed process become our children, until none is left."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return
        # Orphans of the killed are ours to adopt, as subreaper or as the first process of a namespace, so each round
        # sees the next generation.
        below = children(os.getpid())
        kill(below)
        if not below:
            return
        os.waitpid(-1, 0)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End every process of the run and exit at once, because our parent died."""
    _end_all()
    os._exit(1)


def _report(ended: int, line: dict[str, object]) -> None:
    try:
        os.write(ended, json.dumps(line).encode("ascii") + b"\n")
    except BrokenPipeError:
        return
