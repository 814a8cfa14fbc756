"""Local executor: runs in a process without namespaces, confined by kernel features if there are any."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.environment import environment
from certo.sandbox.confinement.kernel_features import FULL_WALLS, KernelFeatures, in_words
from certo.sandbox.confinement.visible_files import SYSTEM, spellings
from certo.sandbox.executor import Executor, Finished, Interpreter, Limits, Message, Policy, Work
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process import Launch, NotStarted, conduct, require_posix
from certo.sandbox.process.scratch import scratch
from certo.sandbox.process.slots import Slots, processors
from certo.sandbox.process.time_limit import Backstop
from certo.sandbox.warm.pool import pooled, standing_by
from certo.sandbox.warm.warm_executor import ZYGOTE_LIMITS, warmed
from certo.sandbox.work_order import write_order
from certo.vocabulary.errors import NoInterpreter


class LocalExecutor:
    """Executor that runs each program in its own process, with limits on time, memory, processes and output."""

    def __init__(self, options: SandboxOptions, walls: KernelFeatures = FULL_WALLS) -> None:
        """Confine runs by `walls`, which the kernel must have; with none of them, runs are not confined."""
        require_posix()
        self._options = options
        self._walls = walls
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
        """The policies a project's own tests may be given: no sockets, for the only network is the user's."""
        return (Policy.STRICT, Policy.SUBPROCESS) if self._walls.whole else (Policy.STRICT,)

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return sys.platform != "darwin"

    @property
    def room(self) -> int:
        """The number of concurrent runs there is room for."""
        return self._options.slots or processors()

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        if not self._walls.whole:
            return "not confined: process limits only, your files and the network are within reach"
        return in_words("", self._walls, policy, network=False)

    def capped(self, limits: Limits, /) -> Limits:
        """Return the limits of a run, each lowered to the maximum allowed here."""
        return self._options.capped(limits)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return an executor whose runs like this one start warm; see `Executor`."""
        if work.standing:
            return standing_by(self, work)
        size = self.room
        if sys.platform == "darwin":
            # On macOS a forked copy of a process that has used system frameworks may hang, and can be confined only
            # once.
            return pooled(self, work, size)
        return warmed(self, work, size)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`. Waits for a free slot first, which no limit counts."""
        require_interpreter(work.interpreter, work.root)
        async with self.slots.taken(work), scratch() as directory:
            try:
                return await conduct(self.launch(work, directory), tell)
            except NotStarted as words:
                raise no_worker(work.interpreter, str(words)) from words

    async def conduct(
        self, launch: Launch, tell: Callable[[Message], None], backstop: Backstop | None = None
    ) -> Finished:
        """Run a launched worker to its end; see `process.conduct`."""
        return await conduct(launch, tell, backstop)

    def launch(self, work: Work, directory: Path, awaits: int | None = None, control: int | None = None) -> Launch:
        """Return the launch of a worker for `work` in the scratch `directory`; `awaits`, `control` as in its order."""
        if control is not None:
            work = replace(work, policy=Policy.FORKING)
        limits = self.capped(work.limits)
        order = write_order(
            work, directory, limits=limits, alone=False, walls=self._walls, awaits=awaits, control=control
        )
        return Launch(
            command=worker_command(work.interpreter, str(order)),
            environment=environment(work.interpreter, directory, hash_seed=work.hash_seed),
            directory=work.root,
            limits=limits if control is None else ZYGOTE_LIMITS,
            mark=str(directory),
            inherited=tuple(one for one in (awaits, control) if one is not None),
        )

    def order(self, work: Work, directory: Path) -> Path:
        """Write the order of a run that starts from a zygote into its scratch directory."""
        return write_order(work, directory, limits=self.capped(work.limits), alone=False, walls=self._walls)


def worker_command(interpreter: Interpreter, order: str) -> list[str]:
    """Return the command that starts the user's interpreter as a worker, without the numbers of its pipes.

    The worker adds site-packages itself once it is confined, because installed code may be the project.
    """
    return [str(interpreter.executable), "-B", "-S", str(WORKER_HOME / "certo_worker"), order]


def no_worker(interpreter: Interpreter, words: str) -> NoInterpreter:
    """Return the error for an interpreter that did not start the worker but printed `words`."""
    return NoInterpreter(f"{interpreter.executable} could not be started as the project's interpreter: {words}")


def require_interpreter(interpreter: Interpreter, root: Path) -> None:
    """Check that the interpreter can be started, and that runs over the project at `root` may read its files.

    Raises:
        NoInterpreter: The interpreter is gone, may not be executed, or belongs to an environment that no run may read.
    """
    if not os.access(interpreter.executable, os.X_OK) or interpreter.executable.is_dir():
        raise NoInterpreter(
            f"the project's interpreter {interpreter.executable} is not a program that can be started; "
            "make the environment again or name another interpreter in the settings"
        )
    place = interpreter.environment
    # Python reads a file in there as soon as it starts.
    if place is not None and not _is_seen(place, (root, *interpreter.readable, *map(Path, SYSTEM))):
        raise NoInterpreter(
            f"the project's interpreter {interpreter.executable} belongs to the environment {place}, which runs may "
            "not read: it is or holds your home directory, or is not among the interpreter's readable directories; "
            "make an environment in a directory of its own (python3 -m venv .venv), or name another interpreter in "
            "the setting `interpreter`"
        )


def _is_seen(directory: Path, places: Iterable[Path]) -> bool:
    return any(name.is_relative_to(place) for place in spellings(places) for name in spellings((directory,)))
