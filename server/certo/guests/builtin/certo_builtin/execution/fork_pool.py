"""Pool of forked children for untrusted work, one numbered piece after the other, which may hang, die or leak.

The child inherits all imports and collected tests, does its pieces in order and notes each result on a board that it
shares with the parent. A piece that hangs is killed by the parent, a piece that dies takes the child with it; either
way only that piece is lost and a new child continues with the next. Time is a backstop, and counts only while the child
could run: no result may depend on it.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import traceback
from functools import partial
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from certo_builtin.execution.allowance import Allowance, Spent, Stopwatch
from certo_builtin.execution.scratch import SCRATCH, Entries

MAX_EXTRA_MEBIBYTES = 200
"""Memory that pieces may use beyond the process's own; an endlessly growing list is stopped soon and alone."""

BOARD_BYTES = 16 * 1024 * 1024
"""Room for the results of a child; memory is taken only for what is written."""

LOOKS = 4
"""Number of times that the parent looks in vain for progress before it takes a child for hung."""

Emit = Callable[[Any], None]

_HELD = struct.Struct("<Q")

_length = len
"""The builtin as it was before any test, for a test may replace it."""


class Board:
    """Results in memory that a child shares with its parent, one JSON line each.

    A pipe would wake the parent for each, which takes longer than most trials; and unlike results that wait for a pipe,
    none is lost if the child dies.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, BOARD_BYTES)

    @property
    def held(self) -> int:
        """The number of bytes written."""
        return min(int(_HELD.unpack_from(self._memory)[0]), BOARD_BYTES - _HELD.size)

    def add(self, result: Any) -> bool:
        """Write a result; return False if there is no room for it."""
        line = json.dumps(result).encode("ascii") + b"\n"
        held = self.held
        start = _HELD.size + held
        if start + _length(line) > BOARD_BYTES:
            return False
        self._memory[start : start + _length(line)] = line
        # Last, so that half a line does not count.
        _HELD.pack_into(self._memory, 0, held + _length(line))
        return True

    def taken(self) -> List[Any]:
        """Return the results and remove them."""
        lines = self._memory[_HELD.size : _HELD.size + self.held].splitlines()
        _HELD.pack_into(self._memory, 0, 0)
        return [_read(line) for line in lines]

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()


def _read(line: bytes) -> Any:
    """Return a result; None for what is none, because code under trial can write into its child's memory."""
    try:
        return json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        return None


def _forked(work: Callable[[Emit], None]) -> Tuple[int, int]:
    """Run `work` in a child; return its process id and the pipe of its results, one JSON line each."""
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
            # Without running exit handlers.
            os._exit(0)
    os.close(out)
    return pid, source


def _write(out: int, result: Any) -> None:
    rest = json.dumps(result).encode("ascii") + b"\n"
    while rest:
        rest = rest[os.write(out, rest) :]


def _collect(pid: int, source: int, stall: float, allowance: Allowance) -> Iterator[Any]:
    """Yield a child's results as they arrive, until it ends, hangs for `stall` seconds or the allowance is spent."""
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
        # Our own child, not yet reaped: its number cannot belong to another process.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _comes(source: int, watch: Stopwatch, stall: float, allowance: Allowance) -> bool:
    """Wait for output of the watched child; return False if it hangs."""
    watch.start()
    while True:
        left = min(stall, allowance.left) - watch.seconds
        ready, _, _ = select.select([source], [], [], max(0.0, left))
        took = watch.seconds
        if allowance.left <= took:
            raise allowance.spent()
        # If neither holds, the child had to wait for a processor itself.
        if ready or took >= stall:
            allowance.take(took)
            return bool(ready)


def each(
    work: Callable[[int], Any], pieces: Sequence[int], stall: float, allowance: Allowance, *, alone: bool = False
) -> Iterator[Tuple[int, Optional[Any]]]:
    """Do `work(piece)` for each piece in forked children; yield each piece with its result, None if it was lost.

    `stall` is the time limit of one piece in seconds; Spent is raised if the `allowance` for all is used up. With
    `alone`, every piece has a child of its own. Results are known when their child has ended.
    """
    left: List[int] = list(pieces)
    board = Board()
    kept = SCRATCH.entries()
    try:
        while left:
            share = left[:1] if alone else left
            try:
                _wait(*_forked(partial(_do_all, work, share, board, kept)), board, stall, allowance)
            except Spent:
                yield from zip(share, board.taken())
                raise
            finally:
                SCRATCH.clear(kept)
            results = board.taken()[: len(share)]
            yield from zip(share, results)
            done = len(results)
            # The first piece without a result is the one that hung or killed the child; those after it were not begun.
            if done < len(share):
                yield share[done], None
                done += 1
            left = left[done:]
    finally:
        board.close()


def _wait(pid: int, source: int, board: Board, stall: float, allowance: Allowance) -> None:
    """Wait until a child has done its pieces, has died, or has added nothing for `stall` seconds; end it."""
    watch = Stopwatch(str(pid))
    in_vain = 0
    try:
        while in_vain < LOOKS:
            held = board.held
            if _comes(source, watch, stall / LOOKS, allowance):
                return
            in_vain = in_vain + 1 if board.held == held else 0
    finally:
        watch.close()
        os.close(source)
        # Our own child, not yet reaped: its number cannot belong to another process.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _do_all(work: Callable[[int], Any], pieces: Sequence[int], board: Board, kept: Entries, emit: Emit) -> None:
    _bound_memory()
    for piece in pieces:
        try:
            result = work(piece)
        except BaseException:  # whatever a candidate raises, exits and interrupts included, is a result
            result = None
        SCRATCH.clear(kept)
        if not board.add(result):
            # The parent takes it for lost, and goes on with another child.
            break
    # Processes that a candidate started may keep the pipe open.
    emit(None)


def _bound_memory() -> None:
    """Limit this process to so much more memory than it has; on systems without accounting the sandbox does it."""
    try:
        # As bytes: a text codec would be imported in each child anew.
        with open("/proc/self/statm", "rb") as account:
            held = int(account.read().split()[5]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = held + MAX_EXTRA_MEBIBYTES * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if most < 0 else min(wanted, most), most))
    except (OSError, ValueError, IndexError):
        pass


def streamed(work: Callable[[Emit], None], stall: float, allowance: Allowance) -> Iterator[Any]:
    """Run one piece of work in a child and yield its results as they arrive, until it ends, hangs or dies.

    An exception in it is an error of ours, since it guards itself against the code it runs; it is raised here.
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
