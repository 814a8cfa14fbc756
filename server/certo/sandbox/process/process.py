"""One run as seen from outside: start its process, read its output, end it in time, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import Process

from certo.sandbox.executor import Finished, Limits, Message
from certo.sandbox.process import process_table
from certo.sandbox.process.resource_tracker import track
from certo.sandbox.process.run_output import RunOutput, a_pipe, hear_until, read_available, read_report
from certo.sandbox.process.scratch import MAX_FILES, no_processes, until_full
from certo.sandbox.process.time_limit import Backstop
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.records import dataclass

_MEBIBYTE = 1 << 20
_DYING_SECONDS = 5.0
"""Maximum wait for killed processes to be gone; one in the middle of a disk write takes long."""

_MAX_KILLING = 10
"""Maximum ratio to that of the time for killing a program that goes on forking."""


class NotStarted(Exception):
    """The worker did not start; the message is its output instead. The executor turns it into a named error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A process to start; `mark` is its scratch directory, whose path in `environment` identifies its processes.

    `inherited` are our descriptors that it keeps under their numbers. `is_many` is true if the processes below it are
    runs of their own, each watched separately.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    directory: Path
    limits: Limits
    mark: str
    inherited: tuple[int, ...] = ()
    is_many: bool = False


def require_posix() -> None:
    """Raise an error on Windows, where none of this works.

    Raises:
        SandboxUnavailable: This is Windows.
    """
    if sys.platform == "win32":
        raise SandboxUnavailable(
            "this way of running programs needs process groups and resource limits, which Windows has not; "
            "set sandbox.isolation to `auto`"
        )


async def conduct(launch: Launch, tell: Callable[[Message], None], backstop: Backstop | None = None) -> Finished:
    """Run to the end, or to a limit; when this returns or is cancelled, every process of the run is dead.

    The numbers of two pipes are added to the command: one for the program's messages, one for the supervisor's report.
    `backstop` is the time limit; a caller passes its own if it restarts the limit during the run.

    Raises:
        NotStarted: The worker did not come up.
    """
    ears = RunOutput(tell=tell, room=launch.limits.output_mebibytes * _MEBIBYTE)
    begun = time.monotonic()
    run = _Run(launch)
    with a_pipe() as (said, said_in), a_pipe() as (ended, ended_in), a_pipe() as (printed, printed_in):
        backstop = backstop or Backstop(launch.limits)
        try:
            try:
                # A start that is interrupted between fork and return would leave a process that no one knows.
                await uncancelled(partial(run.start, said_in, ended_in, printed_in))
            finally:
                for end in (said_in, ended_in, printed_in):
                    os.close(end)
            most = launch.limits.memory_mebibytes
            processes = no_processes if launch.is_many else run.processes
            place = Path(launch.mark)
            full = partial(
                until_full, place, files=MAX_FILES, mebibytes=most, processes=processes, rests=launch.is_many
            )
            late = partial(backstop.reached, run.living)
            await hear_until(run.started.wait, ears, said, printed, full=full, late=late)
        finally:
            await uncancelled(run.end)
        ears.drain(said, printed)
        report = read_report(read_available(ended) or b"")
    if not report.started and ears.late is None:
        said_instead = ears.printed.decode("utf-8", "replace").strip() or f"exit status {run.started.returncode}"
        raise NotStarted(said_instead)
    if report.full:
        ears.how = "memory"
    # A supervisor that reports no end was killed: by us, or by the program.
    status = -signal.SIGKILL if report.status is None else report.status
    return ears.finished(
        status,
        limits=launch.limits,
        seconds=time.monotonic() - begun,
        cpu_seconds=max(report.cpu_seconds, run.used),
        waited=backstop.starved,
    )


class _Run:
    """The process of one run; `used` is the CPU seconds its tree had used when it had to be killed."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._process: Process | None = None
        self._failure: OSError | None = None
        self._leave: Callable[[], None] | None = None
        self._since = 0
        self.used = 0.0

    @property
    def started(self) -> Process:
        """The process.

        Raises:
            NotStarted: There is none.
        """
        if self._process is None:
            words = self._failure.strerror if self._failure else "not tried"
            raise NotStarted(f"{words} ({self._launch.directory})") from self._failure
        return self._process

    def processes(self) -> list[int]:
        """Return all processes below the first one."""
        return [one.pid for one in self.living() if self._process is None or one.pid != self._process.pid]

    def living(self) -> list[process_table.Process]:
        """Return every living process of the run, the first among them."""
        return [] if self._process is None else process_table.tree(self._process.pid)

    async def start(self, said: int, ended: int, printed: int) -> None:
        """Start it; nothing but the pipes is inherited, least of all the daemon's own standard streams."""
        try:
            self._process = await anyio.open_process(
                [*self._launch.command, str(said), str(ended)],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                cwd=self._launch.directory,
                env=self._launch.environment,
                start_new_session=True,
                pass_fds=(said, ended, *self._launch.inherited),
            )
        except OSError as error:
            self._failure = error
        else:
            what = f"a run of {Path(self._launch.command[0]).name} in {self._launch.directory}"
            self._leave = track(what, self._process.pid, self._launch.mark)
            # On macOS starts are told by a clock that may be set back.
            self._since = process_table.start_of(self._process.pid) if sys.platform == "linux" else 0

    async def end(self) -> None:
        """Kill everything left of the run, and reap it.

        The supervisor adopts orphans, so while it lives, every process of the run is below it: it is killed last. If
        the program killed the supervisor, the remaining processes are scattered; their session and the mark identify
        them.
        """
        process = self._process
        if process is None:
            return
        await self._kill_below(process)
        if process.returncode is None:
            # One that is still starting dies of it; any other ends everything forked since the last look. It is never
            # stopped with SIGSTOP: if we were killed then, no one would end it.
            _signal_group(process.pid, signal.SIGTERM)
            _signal_group(process.pid, signal.SIGCONT)  # the program may have stopped it
            with anyio.move_on_after(_DYING_SECONDS):
                await process.wait()
        if process.returncode is None:
            # On a busy machine it may not have had its turn; without it, nobody knows what was forked meanwhile.
            await self._kill_below(process)
            _signal_group(process.pid, signal.SIGKILL)
            await process.wait()
        with anyio.move_on_after(_DYING_SECONDS):
            while left := process_table.members(process.pid, self._launch.mark, self._since):
                process_table.kill(left)
                await anyio.sleep(0.002)
            if self._leave is not None:
                self._leave()

    async def _kill_below(self, process: Process) -> None:
        """Kill the processes below the first one until none is left, or those that are left do not die.

        On a busy machine even a few looks at all processes take seconds, so time counts only since the last new one;
        but a program may fork faster than we kill.
        """
        begun = since = anyio.current_time()
        killed: set[tuple[int, int]] = set()
        while process.returncode is None and (below := _below(process.pid)):
            self.used = max(self.used, sum(one.cpu_seconds for one in below))
            process_table.kill(below)
            now, known = anyio.current_time(), len(killed)
            killed.update((one.pid, one.start) for one in below)
            since = now if len(killed) > known else since
            if now - since > _DYING_SECONDS or now - begun > _MAX_KILLING * _DYING_SECONDS:
                return
            await anyio.sleep(0.002)


def _below(pid: int) -> list[process_table.Process]:
    """Return the living processes below one; all processes are looked at only to find that there is none.

    The kernel's lists of children may lack some, but those they have can be killed already.
    """
    known = [one for one in process_table.tree(pid) if one.pid != pid]
    return known or process_table.descendants(pid)


async def uncancelled(work: Callable[[], Awaitable[None]]) -> None:
    """Do `work` to its end even if this task is cancelled, by a scope or, past all scopes, by its event loop.

    A process whose start is interrupted could not be killed by anyone, and an interrupted end leaves processes behind.
    A shield protects only against scopes; but a task group waits for its shielded child, even if its own task is
    cancelled.
    """

    async def shielded() -> None:
        with anyio.CancelScope(shield=True):
            await work()

    async with anyio.create_task_group() as group:
        group.start_soon(shielded)


def _signal_group(leader: int, number: signal.Signals) -> None:
    try:
        os.killpg(leader, number)
    except ProcessLookupError:
        return
