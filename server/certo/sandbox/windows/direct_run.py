"""One run without a supervisor: its process is the program's own, read over its standard streams and held by us."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Protocol

import anyio
from anyio.abc import ByteReceiveStream, Process

from certo.sandbox.executor import Finished, Message
from certo.sandbox.process.process import Launch, NotStarted, uncancelled
from certo.sandbox.process.process_table import tree
from certo.sandbox.process.resource_tracker import track
from certo.sandbox.process.run_output import RunOutput
from certo.sandbox.process.scratch import MAX_FILES, until_full
from certo.sandbox.process.time_limit import Backstop
from certo.sandbox.windows import structures as win
from certo.vocabulary.records import dataclass


class Enclosure(Protocol):
    """Holds the processes of one run within its limits; without it they could not be found again."""

    def take(self, pid: int, /) -> None:
        """Take in the first process of the run, which is suspended, and resume it.

        Raises:
            OSError: It cannot be held, and must not run.
        """
        ...

    def kill(self) -> None:
        """Kill all processes in it."""
        ...

    def cpu_seconds(self) -> float:
        """Return the CPU seconds used by all processes ever in it."""
        ...

    def close(self) -> None:
        """Kill all processes in it and release it."""
        ...


_MEBIBYTE = 1 << 20
_STARTED = b'{"started": true}\n'
_CREATION = win.CREATE_SUSPENDED | win.CREATE_NO_WINDOW | win.BELOW_NORMAL_PRIORITY_CLASS
_SIGKILL = 9
_SIGNED = 1 << 31


@dataclass(slots=True, kw_only=True)
class _Opening:
    """Reads the worker's first line, which says that it started, and passes on the rest."""

    ears: RunOutput
    started: bool = False
    _begun: bytes = field(default=b"")

    def hear(self, chunk: bytes) -> None:
        """Take a chunk of standard output."""
        if self.started:
            self.ears.hear_said(chunk)
            return
        self._begun += chunk
        if self._begun.startswith(_STARTED):
            self.started = True
            self.ears.hear_said(self._begun[len(_STARTED) :])


async def conduct(
    launch: Launch, enclosure: Enclosure, tell: Callable[[Message], None], backstop: Backstop | None = None
) -> Finished:
    """Run to the end, or to a limit; when this returns or is cancelled, every process in the enclosure is dead.

    The worker sends its messages on standard output and prints on standard error. A descriptor to inherit becomes its
    standard input. `backstop` is its time limit, which the caller may restart.

    Raises:
        NotStarted: The worker did not start.
    """
    ears = RunOutput(tell=tell, room=launch.limits.output_mebibytes * _MEBIBYTE)
    opening = _Opening(ears=ears)
    begun = time.monotonic()
    run = _DirectRun(launch, enclosure)
    backstop = backstop or Backstop(launch.limits)
    try:
        await uncancelled(run.start)
        await run.hear(opening.hear, ears, backstop)
    finally:
        await uncancelled(run.end)
    if not opening.started and ears.late is None:
        raise NotStarted(ears.printed.decode("utf-8", "replace").strip() or f"exit status {run.status}")
    cpu_seconds = enclosure.cpu_seconds()
    return ears.finished(
        status_of(run.status),
        limits=launch.limits,
        seconds=time.monotonic() - begun,
        cpu_seconds=cpu_seconds,
    )


def status_of(code: int) -> int:
    """Return an exit code in the form of Finished: codes that Windows gives to crashed processes are negative.

    A process that its job ended for its time counts as killed.
    """
    if code == win.ERROR_NOT_ENOUGH_QUOTA:
        return -_SIGKILL
    return code - 2 * _SIGNED if code >= _SIGNED else code


class _DirectRun:
    """The process of one run; `status` is its exit code once it has ended."""

    def __init__(self, launch: Launch, enclosure: Enclosure) -> None:
        self._launch = launch
        self._enclosure = enclosure
        self._process: Process | None = None
        self._failure: OSError | None = None
        self._leave: Callable[[], None] | None = None
        self.status = -1

    async def start(self) -> None:
        """Start it, and resume it when it is held; an error is kept until its output is read."""
        launch = self._launch
        try:
            self._process = await anyio.open_process(
                list(launch.command),
                stdin=launch.inherited[0] if launch.inherited else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=launch.directory,
                env=launch.environment,
                start_new_session=True,
                creationflags=_CREATION if sys.platform == "win32" else 0,
            )
            what = f"a run of {Path(launch.command[0]).name} in {launch.directory}"
            self._leave = track(what, self._process.pid, launch.mark)
            self._enclosure.take(self._process.pid)
        except OSError as error:
            self._failure = error

    async def hear(self, said: Callable[[bytes], None], ears: RunOutput, backstop: Backstop) -> None:
        """Read both streams until the process has ended, or must end for its output, disk usage or time.

        Raises:
            NotStarted: There is no process, or it could not be held.
        """
        process = self._process
        if process is None or self._failure is not None:
            words = self._failure.strerror or str(self._failure) if self._failure else "not tried"
            raise NotStarted(f"{words} ({self._launch.directory})") from self._failure
        async with anyio.create_task_group() as watching:

            async def hear(stream: ByteReceiveStream | None, take: Callable[[bytes], None]) -> None:
                while stream is not None and ears.room >= 0:
                    try:
                        take(await stream.receive())
                    except (anyio.EndOfStream, anyio.ClosedResourceError):
                        return
                watching.cancel_scope.cancel()

            async def watch_time() -> None:
                ears.late = await backstop.reached(lambda: tree(process.pid))
                watching.cancel_scope.cancel()

            async def watch_space() -> None:
                most = self._launch.limits.memory_mebibytes
                await until_full(Path(self._launch.mark), files=MAX_FILES, mebibytes=most)
                ears.full = True
                watching.cancel_scope.cancel()

            watching.start_soon(watch_space)
            watching.start_soon(watch_time)
            async with anyio.create_task_group() as hearing:
                hearing.start_soon(hear, process.stdout, said)
                hearing.start_soon(hear, process.stderr, ears.hear_printed)
                await process.wait()
                # Its children would hold the streams open; their output so far is still read.
                self._enclosure.kill()
            watching.cancel_scope.cancel()

    async def end(self) -> None:
        """Kill the rest of the run."""
        self._enclosure.kill()
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            self.status = await self._process.wait()
            await self._process.aclose()
        if self._leave is not None:
            self._leave()
