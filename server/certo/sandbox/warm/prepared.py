"""One worker that is started and prepared before its run is known, serves that one run, and ends."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import anyio

from certo.sandbox.confinement.kernel_features import CONFIGURATIONS
from certo.sandbox.executor import Executor, Finished, Message, Work
from certo.sandbox.process.process import Launch, NotStarted, uncancelled
from certo.sandbox.process.scratch import scratch
from certo.sandbox.process.slots import Slots
from certo.sandbox.process.time_limit import Backstop
from certo.sandbox.work_order import copies, write_rest


class Starter(Executor, Protocol):
    """An executor that can also start a worker whose run is not known yet."""

    @property
    def slots(self) -> Slots:
        """The limit on concurrent runs."""
        ...

    @property
    def shows_files(self) -> bool:
        """True if runs see the overlay's new and deleted files, which a worker must then know at its start."""
        ...

    def launch(self, work: Work, directory: Path, awaits: int | None = None, /) -> Launch:
        """Return the launch of a worker for `work` in the scratch `directory`; `awaits` as in its order."""
        ...

    async def conduct(
        self, launch: Launch, tell: Callable[[Message], None], backstop: Backstop | None = None, /
    ) -> Finished:
        """Run a launched worker to its end; `backstop` is its time limit, which the caller may restart."""
        ...


class PreparedWorker:
    """A worker from its start to its end.

    `ready` is set when it is prepared, `answered` when it has begun its run, and all are set when it is gone at the
    latest. `prepared` and `began` record its progress; `stale` are overlaid files that it had loaded before.
    """

    def __init__(self, starter: Starter, work: Work) -> None:
        """Start nothing yet; `work` is a run like those to come, whose overlaid files are used."""
        self.ready = anyio.Event()
        self.answered = anyio.Event()
        self.gone = anyio.Event()
        self.prepared = False
        self.began = False
        self.stale: tuple[str, ...] = ()
        self.words = ""
        self._starter = starter
        self._work = _undecided(work)
        self._scope = anyio.CancelScope()
        self._backstop = Backstop(work.limits)
        self._scratch = Path()
        self._order = -1
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._torn = False
        self._begun = 0
        self._cpu_seconds = 0.0
        self._tell: Callable[[Message], None] | None = None
        self._finished: Finished | None = None

    async def live(self) -> None:
        """Start the worker and read it to its end; `words` gets the reason if it failed or ended unused."""
        try:
            self._begun = time.time_ns()
            with self._scope, _pipe() as (awaits, self._order):
                async with scratch() as self._scratch:
                    launch = self._starter.launch(self._work, self._scratch, awaits)
                    for copy, relative in zip(copies(self._work, self._scratch), self._work.overlay, strict=True):
                        shutil.copyfile(self._work.root / relative, copy)
                    self._finished = await self._starter.conduct(launch, self._hear, self._backstop)
                    self.words = self._finished.printed.strip().rpartition("\n")[2] or self._finished.ending.value
        except (NotStarted, OSError) as error:
            self.words = str(error)
        finally:
            for event in (self.gone, self.ready, self.answered):
                event.set()

    @property
    def current(self) -> bool:
        """True if every project file that it has read is unchanged."""
        return not self._torn and all(_stamp(path) == stamp for path, stamp in self._stamps.items())

    async def serve(self, work: Work, tell: Callable[[Message], None]) -> Finished | None:
        """Run `work` to its end; return None if it never began, because the worker died before or is `stale`."""
        begun = time.monotonic()
        try:
            self._tell = tell
            self._backstop.begin(work.limits, self._cpu_seconds)
            write_rest(replace(work, overlay={**self._work.overlay, **work.overlay}), self._scratch)
            os.write(self._order, b"\n")
            await self.gone.wait()
        finally:
            await uncancelled(self.end)
        if self._finished is None or not self.began:
            return None
        used = max(0.0, self._finished.cpu_seconds - self._cpu_seconds)
        return replace(self._finished, seconds=time.monotonic() - begun, cpu_seconds=used)

    async def end(self) -> None:
        """Kill the rest of it and wait until it is gone."""
        self.dismiss()
        await self.gone.wait()

    def dismiss(self) -> None:
        """Kill the rest of it without waiting."""
        self._scope.cancel()

    def _hear(self, message: Message) -> None:
        """Handle a message; the first two are the worker's own, see `certo_worker.process.run`."""
        if self.began:
            if self._tell is not None:
                self._tell(message)
        elif self.prepared:
            self.stale = tuple(message["stale"])
            self.began = not self.stale
            self.answered.set()
        else:
            self.prepared = True
            self._cpu_seconds = message["prepared"]
            self._stamps = {path: _stamp(path) for path in self._read(message["loaded"])}
            # A file written during preparation may have been read before that.
            meanwhile = range(self._begun, time.time_ns() + 1)
            self._torn = any(changed in meanwhile for changed, _size in self._stamps.values())
            self._backstop.suspend()
            self.ready.set()

    def _read(self, loaded: Iterable[str]) -> Iterator[Path]:
        """Yield the project files its preparation may have read, and the overlaid files, as they are on disk."""
        overlaid = [(self._work.root / relative) for relative in self._work.overlay]
        configurations = [self._work.root / name for name in CONFIGURATIONS]
        yield from (*map(Path, loaded), *overlaid, *configurations)


def _undecided(work: Work) -> Work:
    """Return the part of a run that its worker starts from: no request, and only existing overlaid files.

    Bubblewrap can replace a file by a text only at the start. So a copy of the file is put in its place first, and the
    text is written into that copy when it is known.
    """
    return replace(work, request={}, overlay={name: "" for name in work.overlay if (work.root / name).is_file()})


def _stamp(path: Path) -> tuple[int, int]:
    """Return the time in ns and size by which a change of a file is noticed; both 0 for a missing file."""
    try:
        about = path.stat()
    except OSError:
        return 0, 0
    return about.st_mtime_ns, about.st_size


@contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    """Yield a pipe as (end to give away, end to write to)."""
    reading, writing = os.pipe()
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)
