"""A worker that one search leaves prepared for the next one of its project."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.sandbox.confinement.visible_files import hidden_of
from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Message, Work
from certo.sandbox.process.process import uncancelled
from certo.sandbox.process.resource_tracker import tracked_by
from certo.sandbox.warm.pool import StandBy
from certo.sandbox.warm.warm_executor import layout_of


@dataclass(slots=True)
class _KeptWorker:
    executor: StandBy
    state: object
    scope: anyio.CancelScope
    ended: anyio.Event


class Reserve:
    """A worker prepared for the next standing run; it lives in `group`.

    A run begins in it only if it is of the same kind as the last one, and if nothing that the worker depends on has
    changed since.
    """

    def __init__(self, group: TaskGroup) -> None:
        """Keep nothing yet: the kind of run is that of the last one."""
        self._group = group
        self._last: tuple[Executor, Work] | None = None
        self._kept: _KeptWorker | None = None
        self._is_over = False
        self._lock = anyio.Lock()

    def over(self, executor: Executor) -> Executor:
        """Return an executor like `executor` whose standing runs may begin in the kept worker."""
        return _ReservingExecutor(executor, self)

    @asynccontextmanager
    async def standing(self, executor: Executor, work: Work) -> AsyncIterator[Executor]:
        """Yield an executor with a worker for a standing run: the kept one if it is fit, otherwise one of its own."""
        self._last = executor, work
        kept, self._kept = self._kept, None
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
        """Prepare a worker for a run like the last one, unless there is one."""
        async with self._lock:
            if self._last is None or self._kept is not None:
                return
            executor, work = self._last
            scope, ended, state = anyio.CancelScope(), anyio.Event(), _state(work)
            # It belongs to no search.
            with tracked_by(None):
                warm = await self._group.start(keep_warm, executor, work, scope, ended)
            if isinstance(warm, StandBy) and not self._is_over:
                self._kept = _KeptWorker(warm, state, scope, ended)
            else:
                scope.cancel()

    async def end(self) -> None:
        """End the kept worker and wait until it is gone; nothing is kept from now on."""
        self._is_over = True
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.scope.cancel()
            await kept.ended.wait()


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
    """Return what a worker sees of the machine from its start: what is installed, and which files are hidden."""
    return hidden_of(work), layout_of(work, mounted=True)


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
