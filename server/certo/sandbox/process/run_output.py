"""Output of a run read from its pipes: messages, printed text and the supervisor's report, all bounded."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

import anyio

from certo.sandbox.executor import Ending, Finished, Limits, Message
from certo.vocabulary.records import dataclass

_CHUNK = 65536
_SIGKILL, _SIGXCPU = 9, 24
"""Signals by number, since Windows has no names for them."""
_PRINTED_KEPT = 4096


@dataclass(slots=True, kw_only=True)
class RunOutput:
    """The output of one run, read to its end.

    `room` is the number of bytes it may still send and print. `how` is the ending the program reported, or None so far.
    `garbled` is True if something arrived that our channel never writes, `heard` if anything arrived. `full` is True if
    the run was ended for its disk usage; `late` is the time limit that ended it, if any.
    """

    tell: Callable[[Message], None]
    room: int
    how: str | None = None
    garbled: bool = False
    heard: bool = False
    full: bool = False
    late: Ending | None = None
    printed: bytes = b""
    _line: list[bytes] = field(default_factory=list)

    def hear_printed(self, chunk: bytes) -> None:
        """Take a chunk of standard output or standard error; only the last few KiB are kept."""
        self.room -= len(chunk)
        self.printed = (self.printed + chunk)[-_PRINTED_KEPT:]

    def hear_said(self, chunk: bytes) -> None:
        """Take a chunk of the message channel and pass on each complete message."""
        self.heard = True
        self.room -= len(chunk)
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._line.append(line)
            self._hear_line(b"".join(self._line))
            self._line.clear()
        self._line.append(rest)

    def drain(self, said: int, printed: int) -> None:
        """Read the rest of both pipes of a run that has ended."""
        for pipe, take in ((said, self.hear_said), (printed, self.hear_printed)):
            while self.room >= 0 and (chunk := read_available(pipe)):
                take(chunk)

    def finished(
        self, status: int, *, limits: Limits, seconds: float, cpu_seconds: float, waited: float = 0.0
    ) -> Finished:
        """Return the result of a run that was read to its end."""
        ending = self.late or self._ending(status, cpu_seconds, limits)
        return Finished(
            ending=ending,
            status=status,
            complete=ending is Ending.EXITED and status == 0 and self.how == "complete" and not self.garbled,
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            printed=self.printed.decode("utf-8", "replace"),
            waited=waited,
        )

    def _ending(self, status: int, cpu_seconds: float, limits: Limits) -> Ending:
        if self.full:
            return Ending.FILES
        if self.room < 0:
            return Ending.OUTPUT
        # A program may catch SIGXCPU; the SIGKILL that follows is known by the time it had used.
        if status == -_SIGXCPU or (status == -_SIGKILL and cpu_seconds >= limits.cpu_seconds):
            return Ending.CPU
        if self.how == "memory":
            return Ending.MEMORY
        return Ending.KILLED if status < 0 else Ending.EXITED

    def _hear_line(self, line: bytes) -> None:
        # Nothing valid can follow the last message or a garbled one.
        if self.how is not None or self.garbled:
            self.garbled = True
            return
        match _decode(line):
            case {"tell": dict(message)}:
                self.tell(message)
            case {"end": str(how)}:
                self.how = how
            case _:
                self.garbled = True


@dataclass(frozen=True, slots=True)
class OutputReport:
    """The supervisor's report: if the run began, and exit status and CPU seconds if it saw the end.

    `full` is True if the supervisor killed the run for its memory use.
    """

    started: bool = False
    status: int | None = None
    cpu_seconds: float = 0.0
    full: bool = False


def read_report(text: bytes) -> OutputReport:
    """Parse the text that the supervisor wrote into its pipe."""
    match [_decode(line) for line in text.splitlines()]:
        case [{"started": True}, {"status": int(status), "cpu": float(cpu), **more}]:
            return OutputReport(started=True, status=status, cpu_seconds=cpu, full=more.get("full") is True)
        case [{"started": True}, *_]:
            return OutputReport(started=True)
        case _:
            return OutputReport()


@contextmanager
def a_pipe() -> Iterator[tuple[int, int]]:
    """Yield a pipe as (end to read from, end to give away); the reading end is non-blocking and closed at the end."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        yield reading, writing
    finally:
        os.close(reading)


async def hear_until(
    ended: Callable[[], Awaitable[object]],
    ears: RunOutput,
    said: int,
    printed: int,
    *,
    full: Callable[[], Awaitable[object]],
    late: Callable[[], Awaitable[Ending]],
) -> None:
    """Read both pipes of a run until it has `ended`, or its output exceeds the limit.

    `full` returns when the run uses too much disk space, and `late` when it reaches a time limit.
    """
    async with anyio.create_task_group() as group:

        async def hear(pipe: int, take: Callable[[bytes], None]) -> None:
            while ears.room >= 0:
                await anyio.wait_readable(pipe)
                chunk = read_available(pipe)
                if chunk == b"":
                    return
                if chunk:
                    take(chunk)
            group.cancel_scope.cancel()

        async def watch_space() -> None:
            await full()
            ears.full = True
            group.cancel_scope.cancel()

        async def watch_time() -> None:
            ears.late = await late()
            group.cancel_scope.cancel()

        group.start_soon(watch_space)
        group.start_soon(watch_time)
        group.start_soon(hear, said, ears.hear_said)
        group.start_soon(hear, printed, ears.hear_printed)
        await ended()
        # Processes of the run that still hold a pipe are about to be killed; their output is drained afterwards.
        group.cancel_scope.cancel()


def read_available(pipe: int) -> bytes | None:
    """Return the content of a non-blocking pipe, up to 64 KiB: b"" at its end, None if there is nothing now."""
    try:
        return os.read(pipe, _CHUNK)
    except BlockingIOError:
        return None


def _decode(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
