"""Which executor runs untrusted code here: the strongest that works, or the one that was insisted on."""

from __future__ import annotations

import sys
from dataclasses import replace

from anyio.lowlevel import RunVar

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.processors import processors
from certo.sandbox.scratch import sweep
from certo.sandbox.walls import NO_WALLS, Walls, find_walls
from certo.vocabulary.errors import SandboxUnavailable

_chosen: RunVar[dict[SandboxOptions, Executor]] = RunVar("certo.sandbox.chosen")
"""What was chosen in this event loop: the slots are the machine's, so all searches have to share them."""


async def choose_executor(options: SandboxOptions, *, editor: bool = False) -> Executor:
    """The executor for `options`; trying out what there is and sweeping up after dead daemons happen once.

    An attached `editor` is left a processor, unless the options say how many runs may go on at once.

    Raises:
        SandboxUnavailable: bubblewrap was insisted on and does not work here, or nothing can confine a run here.
    """
    try:
        chosen = _chosen.get()
    except LookupError:
        sweep()
        chosen = {}
        _chosen.set(chosen)
    if editor and options.slots is None:
        options = replace(options, slots=max(1, processors() - 1))
    if options not in chosen:
        executor = await strongest(options, await find_walls())
        chosen.setdefault(options, executor)
    return chosen[options]


async def strongest(options: SandboxOptions, walls: Walls) -> Executor:
    """The strongest executor for `options` on a machine whose kernel offers `walls`: with namespaces, then without.

    Raises:
        SandboxUnavailable: as for `choose_executor`.
    """
    if options.isolation == "process":
        return _without_namespaces(options, walls, "")
    try:
        program = await find_bubblewrap()
        # Namespaces alone leave every system call open, and with them most of what has been a way out.
        if walls.seccomp:
            return BubblewrapExecutor(options, program, walls)
        raise SandboxUnavailable("the kernel does not filter system calls (seccomp) here, without which no run is safe")
    except SandboxUnavailable as error:
        if options.isolation == "bubblewrap":
            raise
        return _without_namespaces(options, walls, f"; {error}")


def _without_namespaces(options: SandboxOptions, walls: Walls, besides: str) -> Executor:
    """The executor that confines by the kernel's walls alone; without both of them only one that does not confine."""
    if walls.whole:
        return LocalExecutor(options, walls)
    if options.allow_unsandboxed:
        return LocalExecutor(options, NO_WALLS)
    raise SandboxUnavailable(
        f"nothing here can confine a candidate: {_missing(walls)}{besides}. To run candidates unconfined all the same, "
        "set sandbox.allow_unsandboxed to true in your editor's settings, the environment or on the command line"
    )


def _missing(walls: Walls) -> str:
    if sys.platform != "linux":
        return f"there is no sandbox for {sys.platform} yet"
    lacking = [name for name in ("Landlock", "seccomp") if name not in walls.names]
    return f"the kernel offers no {' and no '.join(lacking)}"
