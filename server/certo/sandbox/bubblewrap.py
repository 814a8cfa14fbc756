"""Runs in bubblewrap: own namespaces, no network, the project read-only, and no other file of the user."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.environment import environment
from certo.sandbox.confinement.kernel_features import FULL_WALLS, NO_WALLS, KernelFeatures, in_words
from certo.sandbox.confinement.visible_files import mounts
from certo.sandbox.executor import Executor, Finished, Limits, Message, Policy, Program, Work, own_interpreter
from certo.sandbox.local import no_worker, require_interpreter, worker_command
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.command import ask
from certo.sandbox.process.process import Launch, NotStarted, conduct, require_posix
from certo.sandbox.process.scratch import scratch
from certo.sandbox.process.slots import Slots, processors
from certo.sandbox.process.time_limit import Backstop
from certo.sandbox.warm.pool import standing_by
from certo.sandbox.warm.warm_executor import ZYGOTE_LIMITS, warmed
from certo.sandbox.work_order import write_order
from certo.vocabulary.errors import SandboxUnavailable

_APART = (
    *("--unshare-all", "--as-pid-1", "--die-with-parent", "--new-session"),
    *("--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SYS_CHROOT", "--cap-add", "CAP_SETPCAP"),
)
"""Arguments that make our supervisor the first process, because bubblewrap's own would let others write to its memory.

The capabilities are needed to mount each run's places, and to be dropped, before any code of the project runs.
"""

_LAY_OUT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from certo_worker.confinement import mounts
with open(sys.argv[2], encoding="utf-8") as order:
    mounts.lay_out(json.load(order)["mounts"])
"""

_PROBE_SECONDS = 10.0


class BubblewrapExecutor:
    """Executor that runs each program in bubblewrap, with process limits and kernel confinement as well."""

    def __init__(self, options: SandboxOptions, program: Path, walls: KernelFeatures = FULL_WALLS) -> None:
        """Run with the bubblewrap at `program`, whether it works or not, and behind `walls`, which must be there."""
        require_posix()
        self._program = program
        self._options = options
        self._walls = walls
        self.slots = Slots(options.slots)

    @property
    def shows_files(self) -> bool:
        """True: every process of a run sees the overlay's new and deleted files, which a worker must know at start."""
        return True

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self.isolation_under(Policy.STRICT)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given; sockets too, for the network is the run's own."""
        return (Policy.STRICT, Policy.SUBPROCESS, Policy.LOOPBACK)

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return True

    @property
    def room(self) -> int:
        """The number of concurrent runs there is room for."""
        return self._options.slots or processors()

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        return in_words("bubblewrap", self._walls, policy, network=True)

    def capped(self, limits: Limits, /) -> Limits:
        """Return the limits of a run, each lowered to the maximum allowed here."""
        return self._options.capped(limits)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return an executor whose runs like this one start warm; see `Executor`."""
        if work.standing:
            return standing_by(self, work)
        return warmed(self, work, self.room)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end; see `Executor`. Waits for a free slot first, which no limit counts."""
        require_interpreter(work.interpreter, work.root)
        async with self.slots.taken(work), scratch() as directory:
            try:
                return await conduct(self.launch(work, directory), tell)
            except NotStarted as words:
                if str(words).startswith("bwrap:"):
                    raise SandboxUnavailable(f"bubblewrap could not set up the sandbox: {words}") from words
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
            work, directory, limits=limits, alone=True, walls=self._walls, awaits=awaits, control=control
        )
        worker = worker_command(work.interpreter, str(order))
        return Launch(
            command=[str(self._program), *_APART, *mounts(work, directory), "--", *worker],
            # bubblewrap gets the run's environment too: its own is in /proc for all it starts to read, so `--clearenv`
            # would still leave the daemon's keys within reach.
            environment=environment(work.interpreter, directory, hash_seed=work.hash_seed),
            directory=work.root,
            limits=limits if control is None else ZYGOTE_LIMITS,
            mark=str(directory),
            inherited=tuple(one for one in (awaits, control) if one is not None),
        )

    def order(self, work: Work, directory: Path) -> Path:
        """Write the order of a run that starts from a zygote into its scratch directory."""
        return write_order(work, directory, limits=self.capped(work.limits), alone=True, walls=self._walls)


async def find_bubblewrap() -> Path:
    """Return the path of a working bubblewrap; the program may be installed but namespaces forbidden.

    Raises:
        SandboxUnavailable: It is missing, or it does not work; the message quotes it.
    """
    if sys.platform != "linux":
        raise SandboxUnavailable("bubblewrap is a program for Linux; set sandbox.isolation to `auto`")
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable(
            "bubblewrap is not installed; install it (Debian, Ubuntu: `apt install bubblewrap`) "
            "or set sandbox.isolation to `process`"
        )
    async with scratch() as directory:
        words = await _try_out(Path(found), directory)
    if words is not None:
        raise SandboxUnavailable(
            f"{found} does not work here ({words}); allow it user namespaces or set sandbox.isolation to `process`"
        )
    return Path(found)


async def _try_out(program: Path, directory: Path) -> str | None:
    """Start certo's own interpreter as a run is started; return the problem in words, or None."""
    ours = own_interpreter()
    # A new file makes the run mount the overlay as well.
    program_alone = Program(home=WORKER_HOME, module="")
    work = Work(program=program_alone, request={}, interpreter=ours, root=WORKER_HOME, overlay={"tried_out.py": ""})
    order = write_order(work, directory, limits=work.limits, alone=True, walls=NO_WALLS)
    python = [str(ours.executable), "-I", "-S", "-B", "-c", _LAY_OUT, str(WORKER_HOME), str(order)]
    command = [str(program), *_APART, *mounts(work, directory), "--", *python]
    try:
        answer = await ask(command, environ=environment(ours, directory), seconds=_PROBE_SECONDS)
    except TimeoutError:
        return f"no answer within {_PROBE_SECONDS:.0f} s"
    except OSError as error:
        return str(error)
    return None if answer.status == 0 else answer.last_words
