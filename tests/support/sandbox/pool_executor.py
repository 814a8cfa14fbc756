"""An executor that gives every run a pool of its own, so that each starts in a prepared worker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from certo.sandbox.executor import Executor, Finished, Message, Policy, Work
from certo.sandbox.local import require_interpreter
from certo.sandbox.warm.pool import pooled
from certo.sandbox.warm.prepared import Starter


class InPools:
    """Runs the programs of the contract, with an empty preparation, in prepared workers of `starter`."""

    def __init__(self, starter: Starter) -> None:
        self._starter = starter
        self.isolation = starter.isolation
        self.policies = starter.policies
        self.forks = False

    def isolation_under(self, policy: Policy, /) -> str:
        return self._starter.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return pooled(self._starter, work, 1)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        # A search runs its baseline in a cold executor first, which looks at the interpreter.
        require_interpreter(work.interpreter, work.root)
        program = work.program.home / f"{work.program.module}.py"
        source = program.read_text(encoding="utf-8")
        if "def prepare(" not in source:
            program.write_text(source + "\ndef prepare(preparation):\n    pass\n", encoding="utf-8")
        prepared = replace(work, preparation={})
        async with pooled(self._starter, prepared, 1) as pool:
            finished = await pool.run(prepared, tell)
        new_or_gone = [name for name, text in work.overlay.items() if text is None or not (work.root / name).is_file()]
        assert bool(finished.cold) is bool(new_or_gone and self._starter.shows_files)
        return finished
