"""Warm runs without a fork: a few prepared workers, each for one run, and a new one for each that is taken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace

from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.sandbox.executor import Executor, Finished, Limits, Message, Policy, Work
from certo.sandbox.process.process import uncancelled
from certo.sandbox.warm.prepared import PreparedWorker, Starter


@asynccontextmanager
async def pooled(starter: Starter, work: Work, size: int) -> AsyncIterator[Pool]:
    """Yield a pool of `size` workers of `starter` for runs like `work`; nothing of it is left when the context ends."""
    async with background_tasks() as group:
        yield Pool(starter, work, size, group)


class Pool:
    """Executor whose runs of one kind start in prepared workers.

    Each worker applies its limits and confinement, then runs the preparation, which is the user's own code and ours,
    and waits. A run's request and overlay arrive only when it is wanted, so no candidate is ever in a process that
    another one has used. The first run starts the workers; runs unfit for them run cold.
    """

    def __init__(self, starter: Starter, work: Work, size: int, group: TaskGroup) -> None:
        """Keep `size` workers of `starter` for runs like `work`, each living in the task group `group`."""
        self._starter = starter
        self._work = work
        self._size = size
        self._group = group
        self._waiting: list[PreparedWorker] = []
        self._given_up = ""

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self._starter.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        return self._starter.policies

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return False

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        return self._starter.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return this pool for runs of its kind, and a new pool for others; see `Executor`."""
        return pooled(self._starter, work, self._size) if unfit(work, self._work, self._starter) else nullcontext(self)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, in a prepared worker if possible; see `Executor`."""
        cold = unfit(work, self._work, self._starter)
        if not (cold or self._given_up):
            async with self._starter.slots.taken(work):
                finished = await self._run_prepared(work, tell)
            if finished is not None:
                return finished
        finished = await self._starter.run(work, tell)
        return finished if work.preparation is None else replace(finished, cold=cold or self._given_up)

    async def _run_prepared(self, work: Work, tell: Callable[[Message], None]) -> Finished | None:
        """Run in a prepared worker; if it died while waiting, take the next one."""
        while worker := await self._take():
            finished = await worker.serve(work, tell)
            if finished is not None:
                return finished
            if worker.stale:
                self._give_up(f"its preparation has loaded what the candidate changes: {', '.join(worker.stale)}")
        return None

    async def _take(self) -> PreparedWorker | None:
        """Return a prepared worker whose project files have not changed since; None after giving up."""
        while not self._given_up:
            while len(self._waiting) < self._size:
                self._start()
            worker = self._waiting[0]
            await worker.ready.wait()
            if worker not in self._waiting:
                # Another run has taken it while this one waited.
                continue
            self._waiting.remove(worker)
            if not worker.prepared:
                self._give_up(f"its preparation failed: {worker.words}")
            # A replacement starts preparing at once, while this one works.
            elif not worker.gone.is_set() and worker.current:
                self._start()
                return worker
            await worker.end()
        return None

    def _give_up(self, why: str) -> None:
        """Stop preparing workers, because the next ones would fail alike."""
        self._given_up = why
        for worker in self._waiting:
            worker.dismiss()
        self._waiting.clear()

    def _start(self) -> None:
        worker = PreparedWorker(self._starter, self._work)
        self._waiting.append(worker)
        self._group.start_soon(worker.live)


def unfit(work: Work, like: Work, starter: Starter) -> str:
    """Return why a run cannot use a worker of `starter` prepared for one `like` it, in words; empty if it can."""
    if work.preparation is None or work.apart is not None:
        return "no worker can be prepared for runs of its kind"
    if _kind(work) != _kind(like):
        return "it is of another kind than the prepared workers"
    if _kept_limits(work.limits) != _kept_limits(like.limits) or work.limits.cpu_seconds > like.limits.cpu_seconds:
        return "its limits are not those of the prepared workers"
    there = {name for name in {*work.overlay, *like.overlay} if (work.root / name).is_file()}
    if there & set(work.overlay) != there & set(like.overlay):
        return "it changes other files than the prepared workers are ready for"
    new_or_gone = [name for name, text in work.overlay.items() if text is None or name not in there]
    if new_or_gone and starter.shows_files:
        return f"it adds or deletes files: {', '.join(new_or_gone)}"
    return ""


def _kind(work: Work) -> tuple[object, ...]:
    """Return the properties that two runs must share for one to use a worker prepared for the other."""
    begun = work.hash_seed, work.preparation, work.standing
    guarded = work.protected, work.unprotected
    return work.program, work.root, work.interpreter, work.policy, begun, guarded


def _kept_limits(limits: Limits) -> Limits:
    """Return the limits a worker has from its start; the time limits are set when its run begins."""
    return replace(limits, wall_seconds=0, cpu_seconds=0)


@asynccontextmanager
async def standing_by(starter: Starter, work: Work) -> AsyncIterator[Executor]:
    """Yield an executor with a worker of `starter` for a run like `work`, started now; it ends with the context."""
    async with background_tasks() as group:
        yield StandBy(starter, work, group)


class StandBy:
    """Executor that begins the first run in the waiting worker, if it is fit for it, and runs all others cold.

    A worker that was taken is not replaced: there is one standing run at a time.
    """

    def __init__(self, starter: Starter, work: Work, group: TaskGroup) -> None:
        """Start the worker, which lives in the task group `group`; of `work` it needs no request."""
        self._starter = starter
        self._like = work
        self._worker: PreparedWorker | None = PreparedWorker(starter, work)
        group.start_soon(self._worker.live)

    def serves(self, work: Work) -> bool:
        """True if a run can begin in the waiting worker, as far as is known before that is prepared."""
        worker = self._worker
        if worker is None or worker.gone.is_set() or not worker.current:
            return False
        return not unfit(work, self._like, self._starter)

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self._starter.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        return self._starter.policies

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return False

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        return self._starter.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return an executor whose runs like this one start warm; see `Executor`."""
        return self._starter.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, in the waiting worker if possible; see `Executor`."""
        worker, self._worker = self._worker, None
        if worker is not None:
            finished = await self._run_in(worker, work, tell)
            if finished is not None:
                return finished
        return await self._starter.run(work, tell)

    async def _run_in(self, worker: PreparedWorker, work: Work, tell: Callable[[Message], None]) -> Finished | None:
        """Run in the worker and end it; return None if nothing was begun there."""
        try:
            if not unfit(work, self._like, self._starter):
                await worker.ready.wait()
                if worker.prepared and worker.current and not worker.gone.is_set():
                    return await worker.serve(work, tell)
            return None
        finally:
            await uncancelled(worker.end)
