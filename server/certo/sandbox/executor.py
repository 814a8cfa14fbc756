"""The executor contract: run a worker program on untrusted code, within limits, and receive its messages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from certo.vocabulary.records import dataclass

Message = dict[str, Any]
"""One JSON object sent by a worker program."""


PATIENCE = 3.0
"""Maximum ratio of elapsed to processor time of a run: it may sleep, or get only part of a processor."""

GRACE = 5.0
"""Additional seconds for the start and end of a program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most one run may use.

    `cpu_seconds` of processor time, taken by all its processes together, or `wall_seconds` of elapsed time end the run
    by SIGKILL. Processor time decides; elapsed time is a backstop for programs that only wait. Time in which the run
    was ready but no processor was free does not count, as far as the kernel reports it. `memory_mebibytes` caps the
    address space beyond what the interpreter itself reserves, `processes` the processes at once, `file_mebibytes` any
    one file, and `output_mebibytes` all messages and printed text. All files together may take as much as the memory.
    """

    wall_seconds: float = 60.0
    cpu_seconds: float = 60.0
    memory_mebibytes: int = 2048
    processes: int = 64
    file_mebibytes: int = 64
    output_mebibytes: int = 16

    @classmethod
    def within(cls, seconds: float, **others: int) -> Limits:
        """Return limits of so many seconds of processor time, and enough elapsed time to use all of it."""
        return cls(wall_seconds=PATIENCE * seconds + GRACE, cpu_seconds=seconds, **others)


class Policy(Enum):
    """The things one run may do besides computing; each value is its name in the baseline and in messages.

    STRICT: no processes, no programs, no sockets but pairs. FORKING: copies of itself too, for our own programs that
    give every trial a process. SUBPROCESS: other programs too. LOOPBACK: sockets too, where the run has a network of
    its own.
    """

    STRICT = "strict"
    FORKING = "forking"
    SUBPROCESS = "subprocess"
    LOOPBACK = "loopback"

    @property
    def forks(self) -> bool:
        """True if a run may have more than one process."""
        return self is not Policy.STRICT

    @property
    def executes(self) -> bool:
        """True if a run may start other programs."""
        return self in (Policy.SUBPROCESS, Policy.LOOPBACK)

    @property
    def connects(self) -> bool:
        """True if a run may make sockets."""
        return self is Policy.LOOPBACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A worker program: `module` within the directory `home`, which defines `main(request, tell)`.

    It runs under the *user's* interpreter: standard library only, Python 3.8 and later, nothing of certo imported.
    A program that is given a preparation also offers `prepare(preparation)`, which runs before `main`, and one that
    runs apart `candidate(request, peer)`, with `peer` as the third argument of `main`; see `Work` and `Apart`.
    """

    home: Path
    module: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python that can run the project's code.

    `executable` is the path to start; `version` its (major, minor, micro). `readable` are the directories it needs to
    see (prefixes, standard library, site-packages). `why` says in words how it was chosen, `tried` which others were
    examined and why they were rejected. `pytest` is the version of pytest it can import, or None.
    """

    executable: Path
    version: tuple[int, int, int]
    readable: tuple[Path, ...]
    why: str
    tried: tuple[str, ...] = ()
    pytest: str | None = None

    @property
    def environment(self) -> Path | None:
        """The directory of its virtual environment; None if it belongs to none."""
        place = self.executable.parent.parent
        return place if (place / "pyvenv.cfg").exists() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """The split of a run in two processes, so that a candidate shares none with the tests that judge it.

    The process of `main` sends the messages and has an exit status; it cannot see the overlay's texts of the paths
    `files`. A second process calls `candidate(request, peer)`: it has those texts, has no message channel, and cannot
    read the paths `hidden` (relative to the root, POSIX form). `peer` is a connected stream socket between the two.

    A path of both is hidden only if the executor has no file system of its own to show the candidate's text in.
    """

    files: tuple[str, ...]
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One run: which program, on what request, over which project.

    `root` is the working directory. The texts of `overlay` (by path relative to the root, POSIX form) replace the files
    of those names; None stands for a deleted file. Imports always see the overlay. Opening, listing and starting files,
    and other processes, see it only where the executor has a file system of its own to show; there the root is
    read-only too, and `isolation` says so. The overlay never changes anything at or below a path of `protected` (same
    form), because a candidate must not bring the files that decide how it is judged. `unprotected` are exceptions: the
    text in the user's editor, and the file to be changed.

    `request` is a JSON object. `standing` marks a run whose findings are judged by other runs while it continues: it
    takes no slot, or those would wait for its end. `background` lets all other runs go first.

    Files that look like secrets are empty to a confined run, except the files and directories `shown`. `.` shows all,
    which is for our own programs that run no code of the project. `hidden` are files and directories that are empty as
    well; their number is bounded, because each run hides them one by one.

    `hash_seed` orders the sets of a run (PYTHONHASHSEED). It is the same in each run, except in runs that test for
    dependence on it.

    `preparation`, a JSON object, is the part of the request that many runs share: `prepare` receives it first. In a
    warm run `prepare` was called earlier, in a process that this one is a copy of. It may import anything that the
    overlay's candidate does not change. `apart` splits the run.
    """

    program: Program
    request: Mapping[str, Any]
    interpreter: Interpreter
    root: Path
    overlay: Mapping[str, str | None] = field(default_factory=dict)
    protected: tuple[str, ...] = ()
    unprotected: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    limits: Limits = Limits()
    standing: bool = False
    background: bool = False
    policy: Policy = Policy.STRICT
    hash_seed: int = 0
    preparation: Mapping[str, Any] | None = None
    apart: Apart | None = None


class Ending(Enum):
    """The way a run ended; each value is shown to the user."""

    EXITED = "ended by itself"
    WALL = "was killed: it waited for too long, or the machine was too busy"
    CPU = "was killed: it used up its processor time"
    MEMORY = "ran out of memory"
    OUTPUT = "was killed: it printed too much"
    FILES = "was killed: it kept too much on the disk"
    KILLED = "was killed by a signal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The end of a run: exit status, wall and CPU seconds, and the last few KiB it printed, for messages.

    `status` is the exit code, or minus the signal's number. `complete` is True if the program returned and reported it;
    an incomplete run has proved nothing. `cold` is the reason why a run with a preparation was not warm; it is empty
    for a warm run and for one without a preparation. `waited` are the seconds for which its processes were ready and no
    processor was free, if that was looked at, as it is before a run is killed for its time.
    """

    ending: Ending
    status: int
    complete: bool
    seconds: float
    cpu_seconds: float
    printed: str = ""
    cold: str = ""
    waited: float = 0.0

    @property
    def words(self) -> str:
        """The ending in words, with the times if they were the reason."""
        match self.ending:
            case Ending.CPU:
                return f"was killed: it used {self.cpu_seconds:.1f} s of processor time"
            case Ending.WALL if self.waited > self.seconds / 2:
                share = self.cpu_seconds / (self.cpu_seconds + self.waited)
                return (
                    f"was killed after {self.seconds:.1f} s: the machine is busy: {share * 100:.0f} % of the processor "
                    "time asked for"
                )
            case Ending.WALL:
                used = f"of which it used only {self.cpu_seconds:.1f} s of processor time"
                return (
                    f"was killed: {self.seconds:.1f} s passed, {used}: it waits for something, or the machine is busy"
                )
            case other:
                return str(other.value)


class Executor(Protocol):
    """Runs worker programs on untrusted code.

    A failing program is a Finished, never an exception. When `run` returns or is cancelled, every process of the run is
    dead, its scratch directory is removed, and nothing outside it was written. Each message sent before the end is
    passed to `tell` exactly once and in order; `tell` must not block.
    """

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        ...

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        ...

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process, which costs no more to keep for many runs than for one."""
        ...

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        ...

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Yield an executor whose runs like `work` start warm.

        They have the same program, root, interpreter, policy, seed and preparation.

        A run that cannot be warm runs cold, and its Finished gives the reason: the verdict is the same, only later.
        Nothing is started before the first such run, unless it is a standing one, for which a worker is prepared at
        once. When the context ends, all of these processes have ended.
        """
        ...

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end.

        Raises:
            SandboxUnavailable: This machine cannot run anything that way.
            NoInterpreter: The interpreter cannot be started.
        """
        ...


class ExecutorWrapper:
    """The part that executors share that only add something to the runs of another one."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    @property
    def isolation(self) -> str:
        """The isolation of runs under the strictest policy, in words a user can weigh."""
        return self._executor.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        return self._executor.policies

    @property
    def forks(self) -> bool:
        """True if warm runs are copies of one process."""
        return self._executor.forks

    @property
    def room(self) -> int | None:
        """The number of concurrent runs there is room for; None if the executor does not say."""
        return getattr(self._executor, "room", None)

    def isolation_under(self, policy: Policy, /) -> str:
        """Return the confinement of runs under `policy`, in words a user can weigh."""
        return self._executor.isolation_under(policy)


def own_interpreter() -> Interpreter:
    """Return the interpreter that runs certo, as one to run programs with."""
    return Interpreter(
        executable=Path(sys.executable),
        version=sys.version_info[:3],
        readable=tuple(map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix})),
        why="it runs certo",
    )
