"""Which executor runs untrusted code here: the strongest that works, or the one that was insisted on."""

from __future__ import annotations

from anyio.lowlevel import RunVar

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.scratch import sweep
from certo.vocabulary.errors import SandboxUnavailable

_chosen: RunVar[dict[SandboxOptions, Executor]] = RunVar("certo.sandbox.chosen")
"""What was chosen in this event loop: the slots are the machine's, so all searches have to share them."""


async def choose_executor(options: SandboxOptions) -> Executor:
    """The executor for `options`; trying bubblewrap out and sweeping up after dead daemons happen once.

    Raises:
        SandboxUnavailable: bubblewrap was insisted on and does not work here, or nothing does.
    """
    try:
        chosen = _chosen.get()
    except LookupError:
        sweep()
        chosen = {}
        _chosen.set(chosen)
    if options not in chosen:
        executor = await _choose(options)
        chosen.setdefault(options, executor)
    return chosen[options]


async def _choose(options: SandboxOptions) -> Executor:
    if options.isolation == "process":
        return LocalExecutor(options)
    try:
        return BubblewrapExecutor(options, await find_bubblewrap())
    except SandboxUnavailable:
        if options.isolation == "bubblewrap":
            raise
        return LocalExecutor(options)
