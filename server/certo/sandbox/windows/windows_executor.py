"""Windows executor: each run in a process held by a job object, at low integrity (not tried on a real Windows yet).

That does not keep a run from reading the user's files or from the network, so runs are not called confined.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import replace
from pathlib import Path

from certo.sandbox.confinement.environment import environment
from certo.sandbox.confinement.kernel_features import KernelFeatures
from certo.sandbox.executor import Executor, Finished, Limits, Message, Policy, Work
from certo.sandbox.local import no_worker, require_interpreter, worker_command
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process import Launch, NotStarted
from certo.sandbox.process.scratch import scratch
from certo.sandbox.process.slots import Slots, processors
from certo.sandbox.process.time_limit import Backstop
from certo.sandbox.warm.pool import pooled, standing_by
from certo.sandbox.windows import direct_run
from certo.sandbox.windows.direct_run import Enclosure
from certo.sandbox.work_order import write_order
from certo.vocabulary.errors import SandboxUnavailable

WITHIN_REACH = "nothing on Windows keeps a candidate from reading your files and from the network"
"""Warning that applies to every run on Windows."""

NOT_APART = "a run cannot be split in two processes on Windows; run certo in WSL 2"

_STANDARD_INPUT = 0


def on_windows(
    options: SandboxOptions, walls: KernelFeatures, enclose: Callable[[Limits], Enclosure]
) -> WindowsExecutor:
    """Return the executor of Windows, for a user who has accepted its gaps.

    Raises:
        SandboxUnavailable: The user has not, or requires an isolation that Windows lacks.
    """
    if options.isolation != "auto":
        raise SandboxUnavailable(
            f"sandbox.isolation is `{options.isolation}`, which there is not on Windows; set it to `auto`"
        )
    if not options.allow_unsandboxed:
        raise SandboxUnavailable(
            f"{WITHIN_REACH}; run certo in WSL 2, where runs are confined, or set sandbox.allow_unsandboxed to true in "
            "your editor's settings, the environment or on the command line"
        )
    return WindowsExecutor(options, walls, enclose)


class WindowsExecutor:
    """Runs each program in its own process, held by an enclosure; warm runs come from a pool."""

    def __init__(self, options: SandboxOptions, walls: KernelFeatures, enclose: Callable[[Limits], Enclosure]) -> None:
        """Run behind `walls`, each run in the enclosure that `enclose` makes for its limits."""
        self._options = options
        self._walls = walls
        self._enclose = enclose
        self.slots = Slots(options.slots)

    @property
    def shows_files(self) -> bool:
        """False: only imports see the overlay's new and deleted files here."""
        return False

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self.isolation_under(Policy.STRICT)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given; the only network is the user's."""
        return (Policy.STRICT, Policy.SUBPROCESS)

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return False

    @property
    def room(self) -> int:
        """The number of concurrent runs there is room for."""
        return self._options.slots or processors()

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        means = ", ".join((*self._walls.names, "job object"))
        kept = [] if policy.forks else ["no new processes"]
        kept += ["your files read-only"] if self._walls.integrity else []
        within = "your files and the network are within reach"
        return f"not confined: {within} ({': '.join((means, ', '.join(kept))) if kept else means})"

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return an executor whose runs like this one start warm; see `Executor`. Nothing can be forked here."""
        if work.standing:
            return standing_by(self, work)
        return pooled(self, work, self.room)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`. Waits for a free slot first, which no limit counts."""
        require_interpreter(work.interpreter, work.root)
        if work.apart is not None:
            raise SandboxUnavailable(NOT_APART)
        async with self.slots.taken(work), scratch() as directory:
            try:
                return await self.conduct(self.launch(work, directory), tell)
            except NotStarted as words:
                raise no_worker(work.interpreter, str(words)) from words

    def launch(self, work: Work, directory: Path, awaits: int | None = None) -> Launch:
        """Return the launch of a worker for `work` in the scratch `directory`; its order comes on standard input."""
        limits = self._options.capped(work.limits)
        awaited = None if awaits is None else _STANDARD_INPUT
        order = write_order(work, directory, limits=limits, alone=False, walls=self._walls, awaits=awaited)
        return Launch(
            command=[*worker_command(work.interpreter, str(order)), "direct"],
            environment=environment(work.interpreter, directory, hash_seed=work.hash_seed),
            directory=work.root,
            limits=limits if work.policy.forks else replace(limits, processes=1),
            mark=str(directory),
            inherited=() if awaits is None else (awaits,),
        )

    async def conduct(
        self, launch: Launch, tell: Callable[[Message], None], backstop: Backstop | None = None
    ) -> Finished:
        """Run a launched worker to its end, in an enclosure of its own; see `direct_run.conduct`."""
        with closing(self._enclose(launch.limits)) as enclosure:
            return await direct_run.conduct(launch, enclosure, tell, backstop)
