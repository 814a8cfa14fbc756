"""Executor for other machines: the executor contract, implemented by the workers of a dask cluster."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import anyio

from certo.sandbox.cluster.bundle import BundleCache
from certo.sandbox.cluster.connection import Connection, Lost, SchedulerSession
from certo.sandbox.cluster.messages import (
    IsolationDemand,
    MalformedReply,
    RunReply,
    RunRequest,
    answer_from_text,
    isolation_from_text,
    order_to_text,
)
from certo.sandbox.cluster.worker_plugin import describe, end_runs, let_go, perform
from certo.sandbox.executor import Executor, Finished, Message, Policy, Work
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.process.process import uncancelled
from certo.sandbox.process.resource_tracker import entered
from certo.sandbox.process.slots import Slots
from certo.vocabulary.errors import BrokenWorld, SandboxUnavailable

_TRIES = 4
"""Maximum number of times that a run is sent if its answers are lost or malformed; one ended by a limit is not resent.
"""

_AHEAD = 2
"""Number of runs in flight per worker thread, so that threads do not wait for the network between runs."""

_ENDING_SECONDS = 10.0
"""Maximum time for workers to confirm that a cancelled run's processes are dead; a silent worker counts as lost."""


async def join_cluster(
    options: SandboxOptions, where: ExecutorOptions, local: Callable[[], Awaitable[Executor]]
) -> DistributedExecutor:
    """Return the executor for the cluster that `where` names, after asking its workers how they confine runs.

    Raises:
        SandboxUnavailable: There is no such cluster, it has no workers, or none that satisfies `options`.
    """
    executor = DistributedExecutor(options, where, local)
    await executor.look_around()
    return executor


class DistributedExecutor:
    """Executor that runs each program on a worker of a dask cluster, under the interpreter there.

    Messages are passed on only after a run has ended: before that, the run may be lost with its worker and sent again.
    A standing run, whose messages others wait for, stays on this machine. A worker's reply is untrusted text that is
    validated.

    A lost run is sent again, up to four times in all; one killed by its limits has ended. Cancelling tells the workers
    to kill, and returns when they have confirmed it.
    """

    def __init__(
        self, options: SandboxOptions, where: ExecutorOptions, local: Callable[[], Awaitable[Executor]]
    ) -> None:
        """Run on the cluster that `where` names; `local` provides the executor of this machine."""
        self._options = options
        self._demand = IsolationDemand.of(options)
        self._local = local
        self._connection = Connection(where)
        self._parcels = BundleCache()
        self._turns = Slots(_AHEAD)
        self._offered = _AHEAD
        self._confined: dict[str, Mapping[Policy, str]] = {}
        self._ending: set[str] = set()
        self._sweeping = anyio.Lock()

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self.isolation_under(Policy.STRICT)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here: those that every worker offers."""
        offered = self._confined.values()
        return tuple(policy for policy in Policy if offered and all(policy in one for one in offered))

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return False

    @property
    def room(self) -> int:
        """The number of concurrent runs there is room for: the slots of all workers, as last seen."""
        return self._offered // _AHEAD

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words, with the number of workers that confine them so."""
        words = Counter(one.get(policy, "not offered") for one in self._confined.values())
        return "; ".join(
            f"on {number} worker{'' if number == 1 else 's'}: {says}" for says, number in words.most_common()
        )

    async def look_around(self) -> None:
        """Ask every worker how it confines runs.

        Raises:
            SandboxUnavailable: As for `join_cluster`.
        """
        try:
            async with self._connection.line() as line:
                said = await line.everywhere(describe, self._demand.isolation, self._demand.allow_unsandboxed)
                self._take_stock(line)
        except Lost as error:
            raise SandboxUnavailable(
                f"the cluster cannot be used: {error}; see whether its scheduler is well"
            ) from error
        refusals: list[BrokenWorld] = []
        for worker, text in said.items():
            try:
                self._confined[worker] = isolation_from_text(text)
            except BrokenWorld as error:
                refusals.append(error)
            except MalformedReply as error:
                refusals.append(SandboxUnavailable(f"the worker {worker} gave no answer of ours: {error}"))
        if not self._confined:
            raise refusals[0] if refusals else SandboxUnavailable("no worker of the cluster answers")

    @asynccontextmanager
    async def _warm(self, work: Work) -> AsyncIterator[Executor]:
        context = secrets.token_hex(8)
        async with self._connection.line() as line:
            try:
                yield _Warmed(self, context, work)
            finally:
                await uncancelled(partial(_ask_all, line, let_go, context))

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Yield an executor whose runs like this one start warm on each worker after its first; see `Executor`."""
        return self._warm(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`, and the class for weaker guarantees."""
        return await self.send(work, tell, "")

    async def send(self, work: Work, tell: Callable[[Message], None], context: str) -> Finished:
        """Run one program to its end, warm if it belongs to a warm `context`."""
        if work.standing:
            return await (await self._local()).run(work, tell)
        async with self._turns.taken(work):
            with entered(f"a run on the cluster, of {work.root}"):
                answer = await self._answer(work, context)
        for message in answer.messages:
            tell(message)
        return answer.finished

    async def _answer(self, work: Work, context: str) -> RunReply:
        """Send a run until its reply arrives.

        Raises:
            SandboxUnavailable: No reply was valid, or the cluster cannot run it.
        """
        lost: list[Exception] = []
        while len(lost) < _TRIES:
            # Each attempt has a name of its own, so that ending one cannot end another.
            order = RunRequest(
                run=f"certo-{secrets.token_hex(12)}",
                project="",
                program="",
                work=work,
                demand=self._demand,
                warm=context,
            )
            try:
                async with self._connection.line() as line:
                    self._take_stock(line)
                    answer = await self._attempt(line, order)
            except (Lost, MalformedReply) as error:
                # Sending again is safe: messages of a lost attempt were never passed on, and runs write nothing that
                # outlives them.
                lost.append(error)
            else:
                self._confined[answer.worker] = answer.isolation
                return answer
        raise SandboxUnavailable(
            f"a run was sent to the cluster {len(lost)} times and got no answer: {lost[-1]}; see whether its workers "
            "are well, or unset executor.cluster"
        )

    async def _attempt(self, line: SchedulerSession, order: RunRequest) -> RunReply:
        """Send a run once and return its reply.

        Raises:
            Lost: It was lost.
            MalformedReply: The reply is invalid.
        """
        work = order.work
        project = await self._parcels.of(work.root, work.shown, work.hidden)
        program = await self._parcels.of(work.program.home)
        text = order_to_text(replace(order, project=project.digest, program=program.digest))
        parcels = (await line.ship(project), await line.ship(program))
        future = line.submit(perform, text, *parcels, name=order.run, priority=-1 if work.background else 0)
        try:
            return answer_from_text(await line.result(future), work.limits)
        except anyio.get_cancelled_exc_class():
            self._ending.add(order.run)
            await uncancelled(partial(self._end, line, order.run, future))
            raise
        finally:
            future.release()

    async def _end(self, line: SchedulerSession, run: str, future: Any) -> None:
        """End a run on any worker. Runs that end at the same time share one message to the workers."""
        await future.cancel()
        async with self._sweeping:
            if run in self._ending:
                runs = sorted(self._ending)
                self._ending.clear()
                await _ask_all(line, end_runs, runs)

    def _take_stock(self, line: SchedulerSession) -> None:
        """Update the number of slots to the current workers."""
        offered = _AHEAD * max(1, sum(line.threads.values()))
        self._turns.grow(offered - self._offered)
        self._offered = offered
        self._confined = {worker: how for worker, how in self._confined.items() if worker in line.threads}


class _Warmed:
    """Executor of one context: its runs like `like` start warm."""

    def __init__(self, whole: DistributedExecutor, context: str, like: Work) -> None:
        self._whole = whole
        self._context = context
        self._like = like

    @property
    def isolation(self) -> str:
        return self._whole.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        return self._whole.policies

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return False

    def isolation_under(self, policy: Policy, /) -> str:
        return self._whole.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return self._whole.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        context = self._context if _what_is_warm(work) == _what_is_warm(self._like) else ""
        return await self._whole.send(work, tell, context)


def _what_is_warm(work: Work) -> tuple[object, ...]:
    return (work.program, work.root, work.interpreter, work.policy, work.hash_seed, work.preparation)


async def _ask_all(line: SchedulerSession, function: Callable[..., object], argument: object) -> None:
    """Call a function on every worker; an unreachable worker has nothing left to do either."""
    with suppress(Lost), anyio.move_on_after(_ENDING_SECONDS):
        await line.everywhere(function, argument)
