"""The worker's side of runs on other machines: a dask worker plug-in that owns the executor of its machine."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from distributed import Worker, WorkerPlugin, get_worker

from certo import __version__
from certo.sandbox.cluster.bundle import Bundle, unpack
from certo.sandbox.cluster.messages import (
    IsolationDemand,
    RunReply,
    RunRequest,
    answer_to_text,
    order_from_text,
    refusal_to_text,
)
from certo.sandbox.cluster.warm_cache import KeptPools
from certo.sandbox.executor import Executor, Interpreter, Message, Work
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.vocabulary.errors import BrokenWorld, SandboxUnavailable


class BundleStore:
    """Holds up to `most` unpacked bundles below the directory `place`, more only while more are in use."""

    def __init__(self, place: Path, most: int) -> None:
        self._place = place
        self._most = most
        self._users: Counter[Path] = Counter()

    @contextmanager
    def holding(self, parcel: Bundle, name: str) -> Iterator[Path]:
        """Yield the unpacked directory `name` of a bundle; it stays for the duration of the context.

        Raises:
            SandboxUnavailable: The bundle does not match its digest.
        """
        path = self._place / parcel.digest / name
        if not path.exists():
            unpack(parcel, path)
        # The table is in order of use, the most recent last.
        self._users[path] = self._users.pop(path, 0) + 1
        try:
            yield path
        finally:
            self._users[path] -= 1
            self._throw_away()

    def _throw_away(self) -> None:
        idle = [path for path, users in self._users.items() if not users]
        for path in idle[: max(0, len(self._users) - self._most)]:
            del self._users[path]
            shutil.rmtree(path, ignore_errors=True)


NAME = "certo"
"""The plug-in's name in a dask worker."""

_MAX_WARM = 3
_MAX_UNPACKED = 8
_MAX_REMEMBERED = 10_000
"""Maximum number of remembered ids of runs ended before they arrived, so that they do not start after all."""


class SandboxPlugin(WorkerPlugin):
    """Runs orders with the executor of its own machine, under the sandbox options its owner chose.

    A run ends when its sender says so, and also when dask releases it, as it does when the sender has died.
    """

    name = NAME

    def __init__(self, options: SandboxOptions, interpreter: Interpreter | None) -> None:
        """Serve with `options`, and with `interpreter` in place of the ones that senders name, unless it is None."""
        self._options = options
        self._interpreter = interpreter
        self._kept = KeptPools(_MAX_WARM)
        self._runs: dict[str, tuple[anyio.CancelScope, anyio.Event]] = {}
        self._ended_early: deque[str] = deque(maxlen=_MAX_REMEMBERED)

    def setup(self, worker: Worker) -> None:
        """Start; called by dask on the worker's event loop."""
        self._worker = worker
        self._shelf = BundleStore(Path(worker.local_directory) / "certo", _MAX_UNPACKED)
        worker.loop.add_callback(self._kept.serve)

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - dask's own signature
        """End all runs and release everything; called by dask before the worker ends."""
        await self.end(tuple(self._runs))
        self._kept.end()

    def transition(self, key: object, start: str, finish: str, **_kwargs: Any) -> None:
        """End a running run that dask releases; called by dask at each change of a key."""
        if start == "executing" and finish in ("released", "cancelled") and isinstance(key, str) and key in self._runs:
            self._runs[key][0].cancel()

    async def isolation(self, demand: IsolationDemand) -> dict[str, str]:
        """Return the confinement of runs with such a demand here, for each policy a project's own tests may be given.

        Raises:
            SandboxUnavailable: This machine cannot run anything that way.
        """
        executor = await self._executor(demand)
        return {policy.value: executor.isolation_under(policy) for policy in executor.policies}

    async def end(self, runs: Sequence[str]) -> None:
        """End these runs; return when all their processes are dead. Those that have not arrived will not start."""
        for run in runs:
            if run in self._runs:
                scope, ended = self._runs[run]
                scope.cancel()
                await ended.wait()
            else:
                self._ended_early.append(run)

    async def let_go(self, context: str) -> None:
        """Release the executors kept warm for `context`."""
        await self._kept.let_go(context)

    async def perform(self, text: str, project: bytes, program: bytes) -> str:
        """Execute an order and return the reply, both as JSON text."""
        run = json.loads(text)["run"]
        ended = anyio.Event()
        try:
            with anyio.CancelScope() as scope, ExitStack() as used:
                self._runs[run] = (scope, ended)
                # The message that ends a run may overtake the run.
                if run in self._ended_early:
                    scope.cancel()
                return await self._carry_out(text, project, program, used)
        except BrokenWorld as error:
            return refusal_to_text(error, self._worker.address)
        finally:
            del self._runs[run]
            ended.set()
        return refusal_to_text(SandboxUnavailable(f"the run {run} was ended"), self._worker.address)

    async def _carry_out(self, text: str, project: bytes, program: bytes, used: ExitStack) -> str:
        read = json.loads(text)
        if read["version"] != __version__:
            raise SandboxUnavailable(
                f"the worker runs certo {__version__} and was sent work by {read['version']}; install the same on both"
            )
        sent_project = Bundle(digest=read["project"], archive=project)
        sent_program = Bundle(digest=read["program"], archive=program)
        # The directory keeps its name, because a project may import itself by it.
        here = used.enter_context(self._shelf.holding(sent_project, Path(read["root"]).name or "root"))
        home = used.enter_context(self._shelf.holding(sent_program, "program"))
        order = order_from_text(text, project=here, program=home, interpreter=self._interpreter)
        executor = await self._executor(order.demand)
        messages: list[Message] = []
        async with self._readied(order, executor) as ready:
            finished = await ready.run(order.work, messages.append)
        isolation = {policy: executor.isolation_under(policy) for policy in executor.policies}
        answer = RunReply(worker=self._worker.address, isolation=isolation, finished=finished, messages=messages)
        return answer_to_text(answer, here=here, root=read["root"])

    def _readied(self, order: RunRequest, executor: Executor) -> AbstractAsyncContextManager[Executor]:
        """Return the executor itself, or the warm one kept for such runs if the run is to start warm."""
        if not order.warm:
            return nullcontext(executor)
        work = order.work
        same = (
            str(work.root),
            str(work.program.home),
            work.program.module,
            str(work.interpreter.executable),
            work.policy.value,
            work.hash_seed,
            work.shown,
            work.hidden,
            work.preparation,
        )
        key = hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()
        # The first run here may be a candidate's, whose texts must not enter the process that others start from.
        return self._kept.warmed(key, order.warm, executor, replace(work, overlay=_on_disk(work)))

    async def _executor(self, demand: IsolationDemand) -> Executor:
        """Return this machine's executor that satisfies both its owner's options and the sender's demand."""
        own = self._options
        return await choose_executor(
            replace(
                own,
                # The stricter of the two wishes wins.
                isolation="bubblewrap" if demand.isolation == "bubblewrap" else own.isolation,
                allow_unsandboxed=own.allow_unsandboxed and demand.allow_unsandboxed,
            )
        )


async def perform(text: str, project: bytes, program: bytes) -> str:
    """Execute an order; called by dask on a worker after both archives have been shipped there."""
    worker = get_worker()
    return await _with_workshop(worker, lambda shop: shop.perform(text, project, program))


async def describe(isolation: Any, allow_unsandboxed: bool, dask_worker: Worker) -> str:  # noqa: FBT001 - sent by dask
    """Return the confinement of runs on a worker, as JSON text."""

    async def isolation_of(shop: SandboxPlugin) -> str:
        demand = IsolationDemand(isolation=isolation, allow_unsandboxed=allow_unsandboxed)
        return json.dumps(await shop.isolation(demand))

    return await _with_workshop(dask_worker, isolation_of)


async def end_runs(runs: Sequence[str], dask_worker: Worker) -> str:
    """End runs on a worker; return when all their processes are dead."""

    async def end(shop: SandboxPlugin) -> str:
        await shop.end(runs)
        return ""

    return await _with_workshop(dask_worker, end)


async def let_go(context: str, dask_worker: Worker) -> str:
    """Release the warm executors that a worker keeps for a context."""

    async def go(shop: SandboxPlugin) -> str:
        await shop.let_go(context)
        return ""

    return await _with_workshop(dask_worker, go)


async def _with_workshop(worker: Worker, ask: Callable[[SandboxPlugin], Awaitable[str]]) -> str:
    shop = worker.plugins.get(NAME)
    try:
        if not isinstance(shop, SandboxPlugin):
            raise SandboxUnavailable(
                "this dask worker has no workshop; start it with `certo worker`, or with `--preload certo.cli.worker`"
            )
        return await ask(shop)
    except BrokenWorld as error:
        return refusal_to_text(error, worker.address)


def _on_disk(work: Work) -> dict[str, str | None]:
    """Return the overlaid files as they were sent with the project, except new files and those not in UTF-8."""
    texts: dict[str, str | None] = {}
    for name in work.overlay:
        # A file outside the project is not the run's to read, whatever its path looks like.
        place = (work.root / name).resolve()
        with suppress(OSError, UnicodeDecodeError):
            if place.is_relative_to(work.root.resolve()):
                texts[name] = place.read_bytes().decode("utf-8")
    return texts
