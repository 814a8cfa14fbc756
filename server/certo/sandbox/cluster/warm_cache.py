"""Cache of warm executors, kept from one run to the next on a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field

import anyio
from anyio.abc import TaskGroup

from certo.sandbox.executor import Executor, Work
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.records import dataclass


@dataclass(slots=True, kw_only=True, eq=False)
class _Place:
    """One warm executor: `executor` once it is `ready`, or the `failure`; it ends when `leave` is set.

    `contexts` are those that want it kept, and `users` the number of runs using it.
    """

    executor: Executor | None = None
    failure: BrokenWorld | None = None
    ready: anyio.Event = field(default_factory=anyio.Event)
    leave: anyio.Event = field(default_factory=anyio.Event)
    gone: anyio.Event = field(default_factory=anyio.Event)
    contexts: set[str] = field(default_factory=set)
    users: int = 0


class KeptPools:
    """Keeps up to `most` recently used warm executors until their contexts have released them.

    Each lives in a task of its own within `serve`, because a warm executor must be closed by the task that opened it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._places: dict[str, _Place] = {}
        self._over = anyio.Event()
        self._group: TaskGroup | None = None

    async def serve(self) -> None:
        """Keep executors until `end`."""
        async with anyio.create_task_group() as group:
            self._group = group
            await self._over.wait()
            for place in self._places.values():
                place.leave.set()

    def end(self) -> None:
        """Release all executors."""
        self._over.set()

    @asynccontextmanager
    async def warmed(self, key: str, context: str, executor: Executor, work: Work) -> AsyncIterator[Executor]:
        """Yield the warm executor called `key`, created by `executor` for runs like `work` if there is none.

        Raises:
            BrokenWorld: It cannot be created.
        """
        place = self._places.pop(key, None)
        if place is None or place.leave.is_set():
            place = _Place()
            self._start(key, place, executor, work)
        # The table is in order of use, the most recent last.
        self._places[key] = place
        place.contexts.add(context)
        place.users += 1
        try:
            self._drop_the_rest()
            await place.ready.wait()
            if place.executor is None:
                raise place.failure or BrokenWorld("what keeps warm runs has ended")
            yield place.executor
        finally:
            place.users -= 1
            if not place.contexts and not place.users:
                place.leave.set()

    async def let_go(self, context: str) -> None:
        """Release a context that has ended; return after executors kept only for it have ended too."""
        for place in tuple(self._places.values()):
            if context in place.contexts:
                place.contexts.discard(context)
                if not place.contexts and not place.users:
                    place.leave.set()
                    await place.gone.wait()

    def _start(self, key: str, place: _Place, executor: Executor, work: Work) -> None:
        if self._group is None or self._over.is_set():
            raise BrokenWorld("what keeps warm runs has ended")
        self._group.start_soon(self._hold, key, place, executor, work)

    async def _hold(self, key: str, place: _Place, executor: Executor, work: Work) -> None:
        try:
            async with executor.warmed(work) as warm:
                place.executor = warm
                place.ready.set()
                await place.leave.wait()
        except* BrokenWorld as errors:
            # The error may come from the executor's own tasks, in nested groups; one error is enough.
            error: BaseException = errors
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            place.failure = error if isinstance(error, BrokenWorld) else None
        finally:
            place.leave.set()
            place.ready.set()
            place.gone.set()
            if self._places.get(key) is place:
                del self._places[key]

    def _drop_the_rest(self) -> None:
        idle = [place for place in self._places.values() if not place.users]
        for place in idle[: max(0, len(self._places) - self._most)]:
            place.leave.set()
