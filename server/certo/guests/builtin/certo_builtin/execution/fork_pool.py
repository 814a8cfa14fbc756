"""Work on untrusted code, one numbered piece after the other, in a forked child that may hang, die or leak.

The child inherits everything that was imported and collected, does its pieces in order and writes each result down a
pipe. A piece that hangs is killed by the parent, a piece that dies takes the child with it; either way only that piece
is lost and a new child goes on with the next. Time is a backstop, and counts only while the child could go on: what a
piece decides must not depend on it.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import traceback
from functools import partial
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from certo_builtin.execution.allowance import Allowance, Stopwatch

MAX_EXTRA_MEBIBYTES = 200
"""Memory that pieces may take beyond what the process had; a list that grows for ever ends soon and alone."""

Emit = Callable[[Any], None]


def _forked(work: Callable[[Emit], None]) -> Tuple[int, int]:
    """Run `work` in a child; return its process id and the pipe on which what it emits comes, one JSON line each."""
    sys.stdout.flush()
    sys.stderr.flush()
    source, out = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(source)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            work(lambda result: _write(out, result))
        finally:
            # Without running anybody's exit code.
            os._exit(0)
    os.close(out)
    return pid, source


def _write(out: int, result: Any) -> None:
    rest = json.dumps(result).encode("ascii") + b"\n"
    while rest:
        rest = rest[os.write(out, rest) :]


def _collect(pid: int, source: int, stall: float, allowance: Allowance) -> Iterator[Any]:
    """Yield a child's results as they come, until it ends, hangs for `stall` seconds or the allowance is spent."""
    buffer = b""
    watch = Stopwatch(str(pid))
    try:
        while _comes(source, watch, stall, allowance):
            chunk = os.read(source, 65536)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line.decode("ascii"))
    finally:
        watch.close()
        os.close(source)
        # Our own child, not yet waited for: the number cannot belong to anybody else.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _comes(source: int, watch: Stopwatch, stall: float, allowance: Allowance) -> bool:
    """Wait until there is something to read from the child that is watched; False when it hangs."""
    watch.start()
    while True:
        left = min(stall, allowance.left) - watch.seconds
        ready, _, _ = select.select([source], [], [], max(0.0, left))
        took = watch.seconds
        if allowance.left <= took:
            raise allowance.spent()
        # Where it is neither, the child had to wait for a processor itself.
        if ready or took >= stall:
            allowance.take(took)
            return bool(ready)


def each(
    work: Callable[[int], Any], pieces: Sequence[int], stall: float, allowance: Allowance, *, alone: bool = False
) -> Iterator[Tuple[int, Optional[Any]]]:
    """Do `work(piece)` for each piece in forked children; yield each piece with its result, None when it was lost.

    `stall` is how many seconds one piece may take; when the `allowance` for all of them is used up, Spent is raised.
    `alone` gives every piece a child of its own.
    """
    left: List[int] = list(pieces)
    while left:
        share = left[:1] if alone else left
        done = 0
        for result in _collect(*_forked(partial(_do_all, work, share)), stall, allowance):
            yield share[done], result
            done += 1
        if done < len(share):
            yield share[done], None
            done += 1
        left = left[done:]


def _do_all(work: Callable[[int], Any], pieces: Sequence[int], emit: Emit) -> None:
    _bound_memory()
    for piece in pieces:
        try:
            result = work(piece)
        except BaseException:  # whatever a candidate raises, exits and interrupts included, is a result
            result = None
        emit(result)


def _bound_memory() -> None:
    """Let this process have so much more memory than it has; where the system does not count it, the sandbox does."""
    try:
        # As bytes: the codec of a text would be imported in each child anew.
        with open("/proc/self/statm", "rb") as account:
            held = int(account.read().split()[5]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = held + MAX_EXTRA_MEBIBYTES * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if most < 0 else min(wanted, most), most))
    except (OSError, ValueError, IndexError):
        pass


def streamed(work: Callable[[Emit], None], stall: float, allowance: Allowance) -> Iterator[Any]:
    """Run one piece of work in a child and yield what it emits as it comes, until it ends, stalls or dies.

    What it raises is a mistake of ours, for it has to guard itself against the code it runs; it is raised here.
    """

    def guarded(emit: Emit) -> None:
        try:
            work(lambda result: emit([result]))
        except BaseException:  # told to the parent, which raises it
            emit([None, traceback.format_exc()])

    for result, *failure in _collect(*_forked(guarded), stall, allowance):
        if failure:
            raise RuntimeError("a search in a child broke: " + failure[0])
        yield result
