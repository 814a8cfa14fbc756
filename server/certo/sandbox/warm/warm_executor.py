"""Executor whose runs start from a zygote if possible, and otherwise from a pool or cold."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import anyio
from anyio.abc import TaskGroup

from certo.concurrency import background_tasks
from certo.sandbox.confinement.kernel_features import CONFIGURATIONS
from certo.sandbox.confinement.secrets import layout
from certo.sandbox.confinement.visible_files import hidden_of
from certo.sandbox.executor import Executor, Finished, Limits, Message, Policy, Work
from certo.sandbox.process.process import Launch
from certo.sandbox.process.resource_tracker import current_tracker, tracked_by
from certo.sandbox.process.scratch import scratch, scratch_within
from certo.sandbox.warm.long_wait import wait_telling
from certo.sandbox.warm.pool import Pool
from certo.sandbox.warm.prepared import Starter
from certo.sandbox.warm.zygote import NotCopied, NotWarm, Zygote

_MAX_STARTS = 10
"""Maximum number of zygotes in a row that serve no run; more mean that starting them, or their files, are faulty."""


ZYGOTE_LIMITS = Limits(wall_seconds=math.inf, cpu_seconds=math.inf)
"""Limits of a zygote, which ends with its user or when it uses more disk space than any run may; its copies have the
limits of their own runs.
"""


class Warmable(Starter, Protocol):
    """An executor that can start a zygote in the place where its runs are confined."""

    def capped(self, limits: Limits, /) -> Limits:
        """Return the limits of a run, each lowered to the maximum allowed here."""
        ...

    def launch(self, work: Work, directory: Path, awaits: int | None = None, control: int | None = None) -> Launch:
        """Write the order of a run, or of a zygote with a `control` socket; return the launch."""
        ...

    def order(self, work: Work, directory: Path) -> Path:
        """Write the order of a run that starts from a zygote into its scratch directory."""
        ...


@asynccontextmanager
async def warmed(executor: Warmable, work: Work, size: int) -> AsyncIterator[Executor]:
    """Yield an executor whose runs like `work` start from a zygote; its processes end with the context.

    If the process cannot be copied, runs start in a pool of `size` workers.
    """
    async with background_tasks() as group:
        yield WarmExecutor(executor, work, group, size)


class WarmExecutor:
    """Runs work like `like` from a zygote, which is started for the first such run, and again when it is outdated.

    A process with threads or children cannot be copied: then each run gets its own process, prepared in advance.
    """

    def __init__(self, cold: Warmable, like: Work, group: TaskGroup, size: int) -> None:
        """Run with `cold` whatever cannot start warm; the zygote, or a pool of `size` workers, lives in `group`."""
        self._cold = cold
        self._like = like
        self._group = group
        self._lock = anyio.Lock()
        self._size = size
        self._zygote: tuple[Zygote, Path] | None = None
        self._pool: Pool | None = None
        self._starts = 0
        # A zygote is started by a run of a search, but belongs to those that keep this executor.
        self._tracker = current_tracker()

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self._cold.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here."""
        return self._cold.policies

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return self._pool is None

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        return self._cold.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return this executor for runs of its kind, and a new one for others."""
        return nullcontext(self) if self._is_alike(work) else self._cold.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`."""
        if work.preparation is None:
            return await self._cold.run(work, tell)
        try:
            if self._pool is None:
                return await self._run_warm(work, tell)
        except NotCopied:
            self._pool = self._pool or Pool(self._cold, self._like, self._size, self._group)
        except NotWarm as words:
            return replace(await self._cold.run(work, tell), cold=str(words))
        return await self._pool.run(work, tell)

    async def _run_warm(self, work: Work, tell: Callable[[Message], None]) -> Finished:
        if not self._is_alike(work):
            raise NotWarm("it is another run than those that were prepared for")
        if work.policy is not Policy.STRICT:
            raise NotWarm("its tests may do more than compute")
        # A process is prepared without a slot: runs that somebody waits for would have to wait for it.
        if self._zygote is None or not self._zygote[0].prepared:
            await self._ready()
        async with self._cold.slots.taken(work):
            zygote, place = await self._ready()
            limits = self._cold.capped(work.limits)
            async with scratch_within(place) as directory:
                finished = await zygote.run(self._cold.order(work, directory), limits, tell)
                # Only those that never serve a run count as faulty: a zygote may live as long as the daemon.
                self._starts = 0
                return finished

    def _is_alike(self, work: Work) -> bool:
        def kind(of: Work) -> tuple[object, ...]:
            return of.program, of.root, of.interpreter, of.policy, of.hash_seed, of.shown, of.hidden, of.preparation

        return kind(work) == kind(self._like)

    async def _ready(self) -> tuple[Zygote, Path]:
        """Return a prepared and current zygote.

        Raises:
            NotWarm: There is none.
        """
        async with self._lock:
            if self._zygote is None or self._zygote[0].lost or self._zygote[0].outdated:
                self._zygote = await self._start(self._zygote)
            zygote, place = self._zygote
            await wait_telling(zygote.ready)
            return zygote, place

    async def _start(self, former: tuple[Zygote, Path] | None) -> tuple[Zygote, Path]:
        if former is not None:
            former[0].retire()
        if self._starts == _MAX_STARTS:
            raise NotWarm("the process it starts from had to be started again too often")
        self._starts += 1
        watched = (self._like.root / name for name in (*CONFIGURATIONS, *self._like.protected))
        zygote = Zygote(watched, partial(layout_of, self._like, mounted=not self._cold.shows_files))
        with tracked_by(self._tracker):
            place: Path = await self._group.start(self._keep, zygote)
        return zygote, place

    async def _keep(self, zygote: Zygote, *, task_status: anyio.abc.TaskStatus[Path]) -> None:
        """Run a zygote to its end, and remove its files."""
        try:
            async with scratch() as place:
                launch = self._cold.launch(self._like, place, control=zygote.control)
                task_status.started(place)
                await zygote.live(launch)
        finally:
            zygote.close()


def layout_of(work: Work, *, mounted: bool) -> object:
    """Return a state of the machine that a zygote depends on beside the files that it has read.

    That is what is installed, for a new package may be a plug-in. If the project's parts are `mounted` one by one,
    because something hidden is beside them, it is these parts too.
    """
    python = work.interpreter
    places = [place for place in python.readable if place.name in ("site-packages", "dist-packages")]
    if python.environment is not None:
        places += python.environment.glob("lib/python*/site-packages")
    installed = []
    for place in places:
        with suppress(OSError):
            installed.append((place, place.stat().st_mtime_ns))
    return installed, layout(work.root, hidden_of(work)) if mounted else None
