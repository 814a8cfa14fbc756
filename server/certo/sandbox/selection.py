"""Choice of the executor for untrusted code: the strongest that passes the self-test, or the configured one."""

from __future__ import annotations

import copy
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

import anyio
from anyio.lowlevel import RunVar

from certo.concurrency import side_by_side
from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.confinement.kernel_features import NO_WALLS, KernelFeatures, detect_kernel_features
from certo.sandbox.executor import Executor, own_interpreter
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.scratch import sweep
from certo.sandbox.process.slots import Slots, processors
from certo.sandbox.selftest import attempt_all
from certo.vocabulary.errors import BrokenWorld, SandboxUnavailable
from certo.vocabulary.records import dataclass

if sys.platform == "win32":
    from certo.sandbox.windows.job import Job
    from certo.sandbox.windows.windows_executor import WITHIN_REACH, on_windows

log = logging.getLogger(__name__)

NO_SEATBELT = "Seatbelt, the sandbox of macOS, does not work here"

_NAMED = 4
"""Number of reached targets that are named in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSelection:
    """The chosen executor.

    `withstood` is the number of self-test attacks it withstood; 0 for one that confines nothing. `passed_over` are the
    reasons, in sentences, why it is no stronger one.
    """

    executor: Executor
    withstood: int
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The selections of one event loop; callers that arrive during a selection wait for its result."""

    by_options: dict[SandboxOptions, ExecutorSelection] = field(default_factory=dict)
    lock: anyio.Lock = field(default_factory=anyio.Lock)


_chosen: RunVar[_Chosen] = RunVar("certo.sandbox.chosen")
"""The selection of this event loop: slots belong to the machine, so all searches share them."""

_known: dict[tuple[SandboxOptions, str], ExecutorSelection] = {}
"""What this process has found out in any event loop, by the options and the PATH.

A program that calls `wait` again and again starts an event loop each time, and the self-test takes half a second.
"""


async def choose_executor(options: SandboxOptions, *, editor: bool = False) -> Executor:
    """Return the executor for `options`; see `choose`, which also gives the reasons."""
    return (await choose(options, editor=editor)).executor


async def choose(options: SandboxOptions, *, editor: bool = False) -> ExecutorSelection:
    """Return the executor for `options`; the self-test runs once per process, sweeping up once per event loop.

    An attached `editor` is left one of three or more processors, unless the options limit the number of concurrent
    runs.

    Raises:
        SandboxUnavailable: The required isolation does not work here, or nothing can confine a run here.
    """
    try:
        chosen = _chosen.get()
    except LookupError:
        sweep()
        chosen = _Chosen()
        _chosen.set(chosen)
    if editor and options.slots is None:
        options = replace(options, slots=beside_editor(processors()))
    async with chosen.lock:
        if options not in chosen.by_options:
            chosen.by_options[options] = _again(options) or await strongest(options)
            _known[options, os.environ.get("PATH", "")] = chosen.by_options[options]
        return chosen.by_options[options]


def _again(options: SandboxOptions) -> ExecutorSelection | None:
    """Return what another event loop has found, with slots for this one; None if none has."""
    known = _known.get((options, os.environ.get("PATH", "")))
    if known is None or not isinstance(known.executor, LocalExecutor | BubblewrapExecutor):
        return None
    executor = copy.copy(known.executor)
    executor.slots = Slots(options.slots)
    return replace(known, executor=executor)


def beside_editor(total: int) -> int:
    """Return the number of concurrent runs on a machine with `total` processors that has an editor attached."""
    # Of two processors none is left free: the user waits for the runs twice as long then, and the kernel gives an
    # editor its share at once, as it uses little.
    return total - 1 if total > 2 else total


async def strongest(options: SandboxOptions, walls: KernelFeatures | None = None) -> ExecutorSelection:
    """Return the strongest executor for `options`; `walls` are what the kernel offers, tried out if None.

    On macOS that is Seatbelt, one of the kernel features; Windows has an executor of its own.

    Raises:
        SandboxUnavailable: As for `choose`.
    """
    if sys.platform == "win32":
        walls = walls or await detect_kernel_features()
        return ExecutorSelection(executor=on_windows(options, walls, Job), withstood=0, passed_over=(WITHIN_REACH,))
    walls, program = await _look_around(options, walls)
    rungs, missing = _ladder(options, walls, program)
    choice, passed_over = await first_that_holds(rungs)
    reasons = (*missing, *passed_over)
    if choice is not None:
        return replace(choice, passed_over=reasons)
    if options.isolation == "bubblewrap":
        raise SandboxUnavailable("; ".join(reasons))
    if options.allow_unsandboxed:
        return ExecutorSelection(executor=LocalExecutor(options, NO_WALLS), withstood=0, passed_over=reasons)
    raise SandboxUnavailable(
        f"nothing here can confine a candidate: {'; '.join(reasons)}. To run candidates unconfined all the same, "
        "set sandbox.allow_unsandboxed to true in your editor's settings, the environment or on the command line"
    )


async def first_that_holds(rungs: Sequence[Executor]) -> tuple[ExecutorSelection | None, tuple[str, ...]]:
    """Return the first executor that withstands the self-test, and the failures of those before it."""
    passed_over: list[str] = []
    for executor in rungs:
        try:
            attempts = await attempt_all(executor, own_interpreter(), _home())
        except BrokenWorld as error:
            passed_over.append(str(error))
            continue
        holes = [attempt.name for attempt in attempts if attempt.worked]
        if not holes:
            return ExecutorSelection(executor=executor, withstood=len(attempts)), tuple(passed_over)
        means = executor.isolation.partition(":")[0]
        passed_over.append(f"{means} does not hold here: a program of the self-test could {_listed(holes)}")
        log.warning("%s", passed_over[-1])
    return None, tuple(passed_over)


def _home() -> Path:
    """Return the user's home directory, if it is known."""
    return Path(os.path.expanduser("~"))


def _listed(holes: Sequence[str]) -> str:
    more = [f"{len(holes) - _NAMED} things more"] if len(holes) > _NAMED else []
    return " and ".join((", ".join(holes[:_NAMED]), *more))


_Bubblewrap = Path | SandboxUnavailable | None
"""The bubblewrap that works here, the reason why none does, or None if none is wanted."""


async def _look_around(options: SandboxOptions, walls: KernelFeatures | None) -> tuple[KernelFeatures, _Bubblewrap]:
    """Return the kernel's features, which may be given as `walls`, and the bubblewrap; both are tried out at once."""
    found: list[KernelFeatures] = [] if walls is None else [walls]

    async def look_at_kernel() -> None:
        if not found:
            found.append(await detect_kernel_features())

    program: _Bubblewrap = None
    async with side_by_side() as group:
        group.start_soon(look_at_kernel)
        if options.isolation != "process" and (options.isolation != "auto" or sys.platform == "linux"):
            try:
                program = await find_bubblewrap()
            except SandboxUnavailable as error:
                # Kept out of the group, which would cancel the other trial.
                program = error
    return found[0], program


def _ladder(options: SandboxOptions, walls: KernelFeatures, program: _Bubblewrap) -> tuple[list[Executor], list[str]]:
    """Return the executors that seem to work here, strongest first, and the parts missing for others."""
    missing = [] if walls.whole else [_missing(walls)]
    alone: list[Executor] = [LocalExecutor(options, walls)] if walls.whole else []
    if program is None:
        return alone, missing
    apart: list[Executor] = []
    if isinstance(program, SandboxUnavailable):
        missing.append(str(program))
    elif walls.seccomp:
        # Namespaces alone leave every system call open, and with them most known ways of escape.
        within = [walls, KernelFeatures(landlock=0, seccomp=True)] if walls.landlock else [walls]
        apart = [BubblewrapExecutor(options, program, each) for each in within]
    return apart if options.isolation == "bubblewrap" else [*apart[:1], *alone, *apart[1:]], missing


def _missing(walls: KernelFeatures) -> str:
    if sys.platform == "darwin":
        return NO_SEATBELT
    if sys.platform != "linux":
        return f"there is no sandbox for {sys.platform} yet"
    lacking = [name for name in ("Landlock", "seccomp") if name not in walls.names]
    return f"the kernel offers no {' and no '.join(lacking)}"
