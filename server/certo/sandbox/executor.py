"""The executor contract: run a worker program on untrusted code, within limits, and hear what it says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

Message = dict[str, Any]
"""One JSON object a worker program said."""


PATIENCE = 3.0
"""How many times its processor time a run may take in all: it may sleep, or get only a part of a processor."""

GRACE = 5.0
"""Seconds more in which a program is started and ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one run may use.

    `cpu_seconds` of processor time, taken by all its processes together, and `wall_seconds` that pass end the run by
    SIGKILL. Processor time is what decides: the time that passes is for what only waits, and none of it counts in which
    the run was ready and no processor was free, as far as the kernel tells. `memory_mebibytes` caps its address space
    beyond what the interpreter itself reserves; `processes` the processes it may have at once; `file_mebibytes` any one
    file it writes; `output_mebibytes` what it may say and print in all. Its files together may take as much as its
    memory.
    """

    wall_seconds: float = 60.0
    cpu_seconds: float = 60.0
    memory_mebibytes: int = 2048
    processes: int = 64
    file_mebibytes: int = 64
    output_mebibytes: int = 16

    @classmethod
    def within(cls, seconds: float, **others: int) -> Limits:
        """Limits of so many seconds of processor time, and of enough time for whatever uses all of it."""
        return cls(wall_seconds=PATIENCE * seconds + GRACE, cpu_seconds=seconds, **others)


class Policy(Enum):
    """What one run may do besides computing; each value is its name in the baseline and in messages.

    STRICT: no processes, no programs, no sockets but pairs. FORKING: copies of itself too, for programs of ours that
    give every trial a process. SUBPROCESS: other programs too. LOOPBACK: sockets too, where there is a network of the
    run's own to use them in.
    """

    STRICT = "strict"
    FORKING = "forking"
    SUBPROCESS = "subprocess"
    LOOPBACK = "loopback"

    @property
    def forks(self) -> bool:
        """Whether a run may have more than one process."""
        return self is not Policy.STRICT

    @property
    def executes(self) -> bool:
        """Whether a run may start other programs."""
        return self in (Policy.SUBPROCESS, Policy.LOOPBACK)

    @property
    def connects(self) -> bool:
        """Whether a run may make sockets."""
        return self is Policy.LOOPBACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A worker program: `module` within the directory `home`, offering `main(request, tell)`.

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
    see (prefixes, standard library, site-packages); `why` says in words how it was chosen, `tried` what else was
    looked at and why it was not taken. `pytest` is the version of pytest it can import, or None.
    """

    executable: Path
    version: tuple[int, int, int]
    readable: tuple[Path, ...]
    why: str
    tried: tuple[str, ...] = ()
    pytest: str | None = None

    @property
    def environment(self) -> Path | None:
        """The directory of the virtual environment it belongs to; None where it belongs to none."""
        place = self.executable.parent.parent
        return place if (place / "pyvenv.cfg").exists() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """How a run is split in two processes, so that a candidate shares none with the tests that judge it.

    The process of `main` says the messages and has an exit status; in it the overlay's texts of the paths `files` are
    not to be had. A second process calls `candidate(request, peer)`: it has those texts, no way to say anything, and
    cannot read the paths `hidden` (relative to the root, POSIX form). `peer` is a connected stream socket between them.
    """

    files: tuple[str, ...]
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One run: which program, on what request, over which project.

    `root` is where the program starts, with the texts of `overlay` (by path relative to the root, POSIX form) in place
    of the files of those names; None stands for a file that is deleted. Imports always see it so; whoever opens, lists
    or starts a file, and every other process, does where the executor has a file system of its own to show. There the
    root is read-only too; `isolation` says so. The overlay changes nothing at or below a path of `protected` (of the
    same form), whatever it says, for what decides how a candidate is judged is not the candidate's to bring; but
    `unprotected` are files to which that does not apply: what stands in the user's editor, and what is to be changed.

    `request` is a JSON object. `standing` says that other runs judge what this one finds while it goes on: it takes no
    slot, or they would wait for its end. `background` lets every run that is not go first.

    What looks like a secret in the project is empty to the run where the executor confines it, but for the files and
    directories `shown`: `.` shows all, which is for programs of ours that run no code of the project. `hidden` are
    files and directories that are empty to it as well; there are no more of them than can be seen to in each run.

    `hash_seed` orders its sets (PYTHONHASHSEED): the same in each run, unless somebody asks what depends on that.

    `preparation`, a JSON object, is what of the request many runs have in common: `prepare` gets it first, and where
    such a run is warm, `prepare` was called before, in a process that this one is a copy of. It may import whatever the
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
    """How a run ended; each value is how the user reads it."""

    EXITED = "ended by itself"
    WALL = "was killed: it waited for too long, or the machine was too busy"
    CPU = "was killed: it used up its processor time"
    MEMORY = "ran out of memory"
    OUTPUT = "was killed: it printed too much"
    FILES = "was killed: it kept too much on the disk"
    KILLED = "was killed by a signal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a run ended: its exit status, wall and CPU seconds, and the last few KiB it printed, for messages.

    `status` is the exit code, or minus the signal's number. `complete` says that the program returned and said so;
    a run that is not complete has proved nothing. `cold` says in words why a run that has a preparation was not warm;
    it is empty for one that was, and for one that has none.
    """

    ending: Ending
    status: int
    complete: bool
    seconds: float
    cpu_seconds: float
    printed: str = ""
    cold: str = ""

    @property
    def words(self) -> str:
        """How it ended, with the times it took where they were the reason."""
        match self.ending:
            case Ending.CPU:
                return f"was killed: it used {self.cpu_seconds:.1f} s of processor time"
            case Ending.WALL:
                used = f"of which it used only {self.cpu_seconds:.1f} s of processor time"
                return (
                    f"was killed: {self.seconds:.1f} s passed, {used}: it waits for something, or the machine is busy"
                )
            case other:
                return str(other.value)


class Executor(Protocol):
    """Runs worker programs on untrusted code.

    A failing program is a Finished, never an exception. When this returns or is cancelled, every process of the run is
    dead, its scratch directory is gone, and nothing outside it was written. Messages said before the end are told in
    order, each exactly once; `tell` must not block.
    """

    @property
    def isolation(self) -> str:
        """How runs under the strictest policy are confined, in words a user can weigh."""
        ...

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        ...

    def isolation_under(self, policy: Policy, /) -> str:
        """How runs under `policy` are confined, in words a user can weigh."""
        ...

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """An executor whose runs like `work` start warm.

        They are of the same program, root, interpreter, policy, seed and preparation.

        What that cannot be done for runs as it would otherwise, and its Finished says why: the verdict is the same,
        only later. Nothing is started before the first such run, unless it is a standing one: for that a worker stands
        by from now on. When the context ends nothing is left.
        """
        ...

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end.

        Raises:
            SandboxUnavailable: this machine cannot run anything that way.
            NoInterpreter: the interpreter cannot be started.
        """
        ...


def own_interpreter() -> Interpreter:
    """The interpreter that runs certo, as one to run programs with."""
    return Interpreter(
        executable=Path(sys.executable),
        version=sys.version_info[:3],
        readable=tuple(map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix})),
        why="it runs certo",
    )
