"""Workers that one search leaves prepared for the next one of its project, one for each program."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.confinement.visible_files import SETTINGS, hidden_of, places
from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Message, Program, Work
from certo.sandbox.process.process import uncancelled
from certo.sandbox.process.resource_tracker import tracked_by
from certo.sandbox.warm.pool import StandBy
from certo.sandbox.warm.warm_executor import layout_of
from certo.vocabulary.records import dataclass


@dataclass(slots=True)
class _KeptWorker:
    executor: StandBy
    state: object
    scope: anyio.CancelScope
    ended: anyio.Event

    async def end(self) -> None:
        """End it and wait until it is gone."""
        self.scope.cancel()
        await self.ended.wait()


class Reserve:
    """Workers prepared for the next standing runs, one for each program; they live in `group`.

    A run begins in one only if it is of the same kind as the last one of its program, and if nothing that the worker
    depends on has changed since.
    """

    def __init__(self, group: TaskGroup) -> None:
        """Keep nothing yet: the kinds of runs are those of the last ones."""
        self._group = group
        self._last: dict[Program, tuple[Executor, Work]] = {}
        self._kept: dict[Program, _KeptWorker] = {}
        self._is_over = False
        self._lock = anyio.Lock()

    def over(self, executor: Executor) -> Executor:
        """Return an executor like `executor` whose standing runs may begin in the kept workers."""
        return _ReservingExecutor(executor, self)

    @asynccontextmanager
    async def standing(self, executor: Executor, work: Work) -> AsyncIterator[Executor]:
        """Yield an executor with a worker for a standing run: the kept one if it is fit, otherwise one of its own."""
        self._last[work.program] = executor, work
        kept = self._kept.pop(work.program, None)
        if kept is None:
            async with executor.warmed(work) as warm:
                yield warm
            return
        try:
            if kept.executor.serves(work) and kept.state == _state(work):
                yield kept.executor
                return
        finally:
            kept.scope.cancel()
            await uncancelled(kept.ended.wait)
        async with executor.warmed(work) as warm:
            yield warm

    async def renew(self) -> None:
        """Prepare a worker for a run like the last one of each program, unless there is one that is still fit."""
        async with self._lock:
            for executor, work in list(self._last.values()):
                await self._renew(executor, work)

    async def _renew(self, executor: Executor, work: Work) -> None:
        kept = self._kept.get(work.program)
        if kept is not None and kept.executor.serves(work) and kept.state == _state(work):
            return
        if kept is not None:
            del self._kept[work.program]
            await kept.end()
        scope, ended, state = anyio.CancelScope(), anyio.Event(), _state(work)
        # It belongs to no search.
        with tracked_by(None):
            warm = await self._group.start(keep_warm, executor, work, scope, ended)
        if isinstance(warm, StandBy) and not self._is_over:
            self._kept[work.program] = _KeptWorker(warm, state, scope, ended)
        else:
            scope.cancel()

    async def refresh(self, document: Path) -> None:
        """Replace the kept workers that began with the text of a document on the disk, which was saved anew."""
        if any(work.root / name == document for _, work in self._kept_runs() for name in work.overlay):
            await self.renew()

    def _kept_runs(self) -> list[tuple[Executor, Work]]:
        return [last for program, last in self._last.items() if program in self._kept]

    async def end(self) -> None:
        """End the kept workers and wait until they are gone; nothing is kept from now on."""
        self._is_over = True
        ending = list(self._kept.values())
        self._kept.clear()
        for kept in ending:
            await kept.end()


class _ReservingExecutor(ExecutorWrapper):
    """Wrapper around an executor whose standing runs may begin in a kept worker."""

    def __init__(self, executor: Executor, reserve: Reserve) -> None:
        super().__init__(executor)
        self._reserve = reserve

    @asynccontextmanager
    async def warmed(self, work: Work, /) -> AsyncIterator[Executor]:
        """Yield an executor whose runs like this one start warm; see `Executor`."""
        warmed = self._reserve.standing(self._executor, work) if work.standing else self._executor.warmed(work)
        async with warmed as warm:
            yield warm

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`."""
        return await self._executor.run(work, tell)


def _state(work: Work) -> object:
    """Return what a worker sees of the machine from its start: what is installed, and what is hidden or mounted.

    A file or folder that is mounted stays visible to the worker when another one takes its place.
    """
    singles = (Path("/etc", name) for name in SETTINGS)
    mounted = {
        str(place): _identity(place) for place in (*places(work.root, work.interpreter, work.program.home), *singles)
    }
    return hidden_of(work), layout_of(work, mounted=True), mounted


def _identity(place: Path) -> tuple[int, int] | None:
    """Return what tells a file or folder from another one of its name; None if there is none."""
    try:
        about = place.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


async def keep_warm(
    executor: Executor,
    like: Work,
    scope: anyio.CancelScope,
    ended: anyio.Event,
    *,
    task_status: TaskStatus[Executor],
) -> None:
    """Keep a process that runs like `like` start from, until the scope is cancelled; set `ended` when it is gone."""
    try:
        with scope:
            async with executor.warmed(like) as warm:
                task_status.started(warm)
                await anyio.sleep_forever()
    finally:
        ended.set()
