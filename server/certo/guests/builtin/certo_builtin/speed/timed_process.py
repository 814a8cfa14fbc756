"""One block of calls of one version, timed from outside in a process that has never run that version before.

The process is a copy of one that executes no version, so nothing is left in it from earlier blocks, and neither code
nor results of other versions are in it. Its time is what the kernel accounts to it, all threads included; it can write
no file and start no process. It has to show a result at the end, which it cannot know before; what it computes after it
has said that it is done is counted as well.
"""

from __future__ import annotations

import collections
import hashlib
import marshal
import os
import random
import select
import signal
import socket
import time
from typing import Any, Callable, List, NamedTuple, Sequence, Tuple

from certo_builtin.differential.value_view import state_of
from certo_worker.confinement import activation

SILENCE_SECONDS = 60.0
"""Time after which a process that says nothing is given up, by the clock; its processor time is limited besides."""

LOST = "a measured call did not come back, or it uses other processes or files"

Todo = Sequence[Tuple[Callable[..., Any], List[Any], Any]]
"""Calls of a block, in order: functions with their arguments by place and by name."""

_dice = random.SystemRandom()


class Untimed(Exception):
    """A block was not timed, and why."""


class Timing(NamedTuple):
    """Processor nanoseconds of a block and of all that followed, the digest of its result, and seconds of the process.

    What followed is the making of that digest, and the end of the process with all its threads.
    """

    nanoseconds: int
    later_nanoseconds: int
    digest: str
    seconds: float


def is_possible() -> bool:
    """True if the kernel tells the processor time of another process while it waits."""
    try:
        return time.clock_gettime_ns(_clock_of(os.getpid())) > 0
    except (OSError, OverflowError):
        return False


def stay() -> None:
    """Keep this process and its copies on one processor, drawn at random.

    While this process reads the account of another, that one does not run, so its account is complete.
    """
    if hasattr(os, "sched_setaffinity"):
        try:
            os.sched_setaffinity(0, [_dice.choice(sorted(os.sched_getaffinity(0)))])
        except OSError:
            pass


def timed(settle: Callable[[], Todo], drawn: int, *, is_drained: bool = False) -> Timing:
    """Time the calls that `settle` returns, which is called in the new process before; `drawn` is that to be shown.

    Raises:
        Untimed: The calls did not come back.
    """
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        try:
            _serve(theirs, settle, is_drained)
        finally:
            os._exit(1)
    theirs.close()
    clock = _clock_of(pid)
    try:
        _heard(ours)
        begin = time.clock_gettime_ns(clock)
        ours.sendall(b"go")
        _heard(ours)
        end = time.clock_gettime_ns(clock)
        ours.sendall(b"%d" % drawn)
        digest = _heard(ours).decode("ascii", "replace")
    except OSError:  # it has ended
        raise Untimed(LOST) from None
    finally:
        ours.close()
        # Our own child, not yet reaped: its number cannot belong to another process.
        os.kill(pid, signal.SIGKILL)
        _, _, usage = os.wait4(pid, 0)
    seconds: float = usage.ru_utime + usage.ru_stime
    return Timing(end - begin, int(seconds * 1e9) - end, digest, seconds)


def _clock_of(pid: int) -> int:
    """Return the clock of the processor time of a process with all its threads, those that have ended included."""
    # As clock_getcpuclockid(3) makes it, which Python does not offer.
    return (~pid << 3) | 2


def _heard(connection: socket.socket) -> bytes:
    if select.select([connection], [], [], SILENCE_SECONDS)[0]:
        said = connection.recv(100)
        if said:
            return said
    raise Untimed(LOST)


def _serve(connection: socket.socket, settle: Callable[[], Todo], is_drained: bool) -> None:
    """Make the calls when told to, and show one of their results."""
    todo = settle()
    activation.seal()
    _touch()
    connection.sendall(b"ready")
    connection.recv(100)
    results = _drained(todo) if is_drained else [function(*places, **named) for function, places, named in todo]
    connection.sendall(b"done")
    drawn = int(connection.recv(100))
    state = "{} {}".format(_size_of(results), state_of(results[drawn]))
    connection.sendall(hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest().encode("ascii"))
    connection.recv(100)


def _drained(todo: Todo) -> List[Any]:
    return [collections.deque(function(*places, **named)) for function, places, named in todo]


def _size_of(results: List[Any]) -> int:
    """Return a number for which every result has to be there, and which is the same in any order of sets and pairs."""
    try:
        return len(marshal.dumps(results, 2))
    except ValueError:  # others than plain values
        return len(state_of(results))


def _touch() -> None:
    """Use memory that the calls will get, so that they do not meet each page for the first time since the copy."""
    held = [[number, str(number)] for number in range(5_000)]
    held.clear()
