"""One run whose worker stands by: it is started and prepared before it is known what there is to run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from anyio.abc import TaskGroup

from certo.sandbox.crew import crew
from certo.sandbox.executor import Executor, Finished, Message, Policy, Work
from certo.sandbox.pool import unfit
from certo.sandbox.prepared import PreparedWorker, Starter
from certo.sandbox.process import uncancelled


@asynccontextmanager
async def standing_by(starter: Starter, work: Work) -> AsyncIterator[Executor]:
    """An executor with a worker of `starter` for a run like `work`, started now; it has ended when the context has."""
    async with crew() as group:
        yield StandBy(starter, work, group)


class StandBy:
    """Begins the first run in the worker that stands by, if that is fit for it, and all others as they would otherwise.

    Nothing is started in the place of a worker that was taken: of a standing run there is one at a time.
    """

    def __init__(self, starter: Starter, work: Work, group: TaskGroup) -> None:
        """Start the worker, which lives in the task group `group`; of `work` it needs no request."""
        self._starter = starter
        self._like = work
        self._worker: PreparedWorker | None = PreparedWorker(starter, work)
        group.start_soon(self._worker.live)

    @property
    def isolation(self) -> str:
        """How runs under the strictest policy are confined, in words a user can weigh."""
        return self._starter.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        return self._starter.policies

    def isolation_under(self, policy: Policy, /) -> str:
        """How runs under `policy` are confined, in words a user can weigh."""
        return self._starter.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """An executor whose runs like this one start warm; see `Executor`."""
        return self._starter.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, in the worker that stands by if that can be; see `Executor`."""
        worker, self._worker = self._worker, None
        if worker is not None:
            finished = await self._run_in(worker, work, tell)
            if finished is not None:
                return finished
        return await self._starter.run(work, tell)

    async def _run_in(self, worker: PreparedWorker, work: Work, tell: Callable[[Message], None]) -> Finished | None:
        """Run in the worker; None when nothing was begun there. It has ended in any case."""
        try:
            if not unfit(work, self._like, self._starter):
                await worker.ready.wait()
                if worker.prepared and worker.current and not worker.gone.is_set():
                    return await worker.serve(work, tell)
            return None
        finally:
            await uncancelled(worker.end)
