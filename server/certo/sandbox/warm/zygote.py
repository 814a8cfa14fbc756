"""One zygote as seen from outside: it is asked for a copy of itself for each run, and each copy is read to its end."""

from __future__ import annotations

import array
import json
import os
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import anyio

from certo.sandbox.executor import Ending, Finished, Limits, Message
from certo.sandbox.process.process import Launch, NotStarted, conduct, uncancelled
from certo.sandbox.process.process_table import Process, process_of, tree
from certo.sandbox.process.run_output import RunOutput, a_pipe, hear_until
from certo.sandbox.process.scratch import MAX_FILES, until_full
from certo.sandbox.process.starvation import patient_limit
from certo.sandbox.process.time_limit import Backstop
from certo.vocabulary.records import dataclass

_MEBIBYTE = 1 << 20
_MAX_BYTES = 65536

_PREPARING_SECONDS = 60.0
_COPYING_SECONDS = 30.0
"""Maximum time for a zygote to prepare, copy itself, or reap a copy: longer than any takes."""

Stamp = tuple[int, int, int]


class NotWarm(Exception):
    """A run cannot start from a zygote, for the reason in the message. None of its output has been passed on."""


class NotCopied(NotWarm):
    """The prepared process cannot be copied: each run needs a process of its own that prepares itself."""


@dataclass(slots=True)
class _Copy:
    """One run of a zygote: `handle` is a descriptor to kill it by; `status` stays None if the zygote is gone."""

    begun: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)
    handle: int | None = None
    refused: str = ""
    status: int | None = None
    cpu_seconds: float = 0.0

    def living(self) -> list[Process]:
        """Return every living process of the run."""
        first = None if self.handle is None else process_of(self.handle)
        return [] if first is None else tree(first)

    def processes(self) -> list[int]:
        """Return the run and all processes below it, by their numbers here."""
        return [one.pid for one in self.living()]


class Zygote:
    """A process that has prepared a program; `live` is its lifetime, and the runs are copies of it.

    It is `prepared` from the time it says so.
    """

    def __init__(self, also_watched: Iterable[Path], layout: Callable[[], object] | None = None) -> None:
        """Watch the files `also_watched`, besides those it reads: a change makes the zygote outdated.

        So does a new result of `layout`.
        """
        ours, self._its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(0)
        self._ours = ours
        self._also_watched = tuple(also_watched)
        self._lay = layout or _nothing
        self._layout = self._lay()
        self._numbers = count()
        self._copies: dict[str, _Copy] = {}
        self._known = anyio.Event()
        self._life = anyio.CancelScope()
        self._begun = time.time_ns()
        self._stamps: dict[str, Stamp | None] = {}
        self._torn = False
        self.prepared = False
        self._retired = False
        self._alone = False
        self._why_not = ""

    @property
    def control(self) -> int:
        """The descriptor that the process must inherit."""
        return self._its.fileno()

    async def live(self, launch: Launch) -> None:
        """Start the process and serve it until it ends, or this is cancelled; no copy of it is left then either."""
        try:
            with self._life:
                async with anyio.create_task_group() as group:
                    group.start_soon(self._hear_answers)
                    group.start_soon(self._expect_to_be_ready)
                    try:
                        finished = await conduct(replace(launch, is_many=True), self._hear)
                        self._why_not = self._why_not or self._how_it_ended(finished)
                    except NotStarted as words:
                        self._why_not = f"no process could be prepared: {words}"
                    group.cancel_scope.cancel()
        finally:
            self._why_not = self._why_not or "the process it starts from was ended"
            self._known.set()
            for copy in self._copies.values():
                copy.begun.set()
                copy.ended.set()
            self.close()

    def close(self) -> None:
        """Close the sockets; it cannot live again."""
        self._ours.close()
        self._its.close()

    def retire(self) -> None:
        """End after the current runs have ended."""
        self._retired = True
        if not self._copies:
            self._life.cancel()

    async def ready(self) -> None:
        """Wait until the program is prepared.

        Raises:
            NotWarm: Preparation failed.
        """
        await self._known.wait()
        if self._why_not:
            raise (NotCopied if self._alone else NotWarm)(self._why_not)

    @property
    def lost(self) -> bool:
        """True if it was prepared and has died; a new one may succeed."""
        return self.prepared and bool(self._why_not)

    @property
    def outdated(self) -> bool:
        """True if a file that it has read has changed on disk."""
        # Compared for each run, because a copy of a process that has read an old file would judge by that file.
        changed = any(_stamp(path) != stamp for path, stamp in self._stamps.items())
        return self._torn or changed or self._lay() != self._layout

    async def run(self, order: Path, limits: Limits, tell: Callable[[Message], None]) -> Finished:
        """Make a copy that executes `order`, and read it to its end.

        Raises:
            NotWarm: No copy could be made, or it could not use the order.
        """
        told = False

        def tell_on(message: Message) -> None:
            nonlocal told
            told = True
            tell(message)

        ears = RunOutput(tell=tell_on, room=limits.output_mebibytes * _MEBIBYTE)
        name, copy = str(next(self._numbers)), _Copy()
        with a_pipe() as (said, said_in), a_pipe() as (printed, printed_in):
            try:
                message = json.dumps({"id": name}).encode("ascii")
                with _unnamed(order) as ordered:
                    await self._send(message, [said_in, printed_in, ordered.fileno()])
                self._copies[name] = copy
            finally:
                os.close(said_in)
                os.close(printed_in)
            try:
                await self._beginning(copy)
                begun = time.monotonic()
                most = limits.memory_mebibytes
                full = partial(until_full, order.parent, files=MAX_FILES, mebibytes=most, processes=copy.processes)
                backstop = Backstop(limits)
                late = partial(backstop.reached, copy.living)
                await hear_until(copy.ended.wait, ears, said, printed, full=full, late=late)
            finally:
                await uncancelled(partial(self._end, copy))
                del self._copies[name]
                if self._retired and not self._copies:
                    self._life.cancel()
            ears.drain(said, printed)
        if copy.refused:
            raise NotCopied(copy.refused)
        # A copy that has sent messages must not run again, or they would be passed on twice; and a candidate may forge
        # this ending.
        if ears.how == "stale" and not told:
            raise NotWarm("what pytest imports before its tests imports the target too")
        if copy.status is None and not ears.heard:
            raise NotWarm(self._why_not)
        return ears.finished(
            -signal.SIGKILL if copy.status is None else copy.status,
            limits=limits,
            seconds=time.monotonic() - begun,
            cpu_seconds=copy.cpu_seconds,
            waited=backstop.starved,
        )

    async def _send(self, message: bytes, pipes: list[int]) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", pipes))]
        while not self._why_not:
            try:
                self._ours.sendmsg([message], rights)
                return
            except BlockingIOError:
                await anyio.wait_writable(self._ours)
            except OSError:
                break
        raise NotWarm(self._why_not or "the process it starts from was ended")

    async def _beginning(self, copy: _Copy) -> None:
        """Wait until a copy has begun; a zygote that makes none within the limit is ended."""
        with anyio.move_on_after(_COPYING_SECONDS) as clock:
            await copy.begun.wait()
        if clock.cancelled_caught:
            self._give_up("the process it starts from did not make a copy of itself")
            await copy.begun.wait()

    async def _end(self, copy: _Copy) -> None:
        """Kill a copy, and wait until its zygote has reaped it."""
        await self._beginning(copy)
        if copy.handle is None:
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(copy.handle, signal.SIGKILL)
        os.close(copy.handle)
        with anyio.move_on_after(_COPYING_SECONDS) as clock:
            await copy.ended.wait()
        if clock.cancelled_caught:
            self._give_up("the process it starts from did not see the end of a copy of itself")
            await copy.ended.wait()

    def _give_up(self, why: str) -> None:
        self._why_not = self._why_not or why
        self._life.cancel()

    async def _expect_to_be_ready(self) -> None:
        async with patient_limit(_PREPARING_SECONDS) as clock:
            await self._known.wait()
        if clock.ended:
            self._give_up(f"preparing its tests once for all did not end within {_PREPARING_SECONDS:g} s")

    def _how_it_ended(self, finished: Finished) -> str:
        if self.prepared:
            return "the process it starts from was ended"
        own = f"it ended with status {finished.status}" if finished.ending is Ending.EXITED else finished.ending.value
        said = finished.printed.strip().splitlines()[-1:] or [own]
        return f"preparing its tests once for all failed: {said[0][:200]}"

    def _hear(self, message: Message) -> None:
        """Handle a message of the zygote itself: that it is ready, or the reason why it never will be."""
        match message:
            case {"kind": "ready", "files": list(files)}:
                watched = [*map(str, files), *map(str, self._also_watched)]
                self._stamps = {path: _stamp(path) for path in watched}
                # A file written during preparation may have been read before that.
                meanwhile = range(self._begun, time.time_ns() + 1)
                self._torn = any(one is not None and one[0] in meanwhile for one in self._stamps.values())
                self.prepared = True
                self._known.set()
            case {"kind": "unfit", "why": str(why), "alone": bool(alone)}:
                self._why_not, self._alone = why, alone

    async def _hear_answers(self) -> None:
        """Handle messages of the zygote about its copies."""
        room = socket.CMSG_SPACE(array.array("i").itemsize)
        while True:
            await anyio.wait_readable(self._ours)
            try:
                text, ancillary, _flags, _address = self._ours.recvmsg(_MAX_BYTES, room)
            except BlockingIOError:
                continue
            except OSError:
                return
            handles = [number for *_kind, content in ancillary for number in array.array("i", content)]
            if not text:
                return
            self._hear_answer(json.loads(text), handles)

    def _hear_answer(self, answer: dict[str, Any], handles: list[int]) -> None:
        copy = self._copies.get(answer["id"])
        match answer:
            case _ if copy is None:
                for handle in handles:
                    os.close(handle)
            case {"refused": str(why)}:
                copy.refused = why
                copy.begun.set()
                copy.ended.set()
            case {"status": int(status), "cpu": float(cpu)}:
                copy.status, copy.cpu_seconds = status, cpu
                copy.ended.set()
            case _:
                # Neither a status nor a refusal: the copy has begun.
                [copy.handle] = handles
                copy.begun.set()


def _nothing() -> object:
    return None


def _unnamed(order: Path) -> BinaryIO:
    """Return an order as an open file without a name, because it names the tests and copies share directories."""
    opened = order.open("rb")
    order.unlink()
    return opened


def _stamp(path: str) -> Stamp | None:
    try:
        about = os.stat(path)
    except OSError:
        return None
    # Of a folder only its files count, each by itself.
    return None if stat.S_ISDIR(about.st_mode) else (about.st_mtime_ns, about.st_size, about.st_ino)
