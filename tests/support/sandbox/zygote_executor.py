"""An executor that gives every run its own zygote, so that each is a copy of a prepared process if possible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from certo.sandbox.executor import Executor, Finished, Message, Policy, Work
from certo.sandbox.local import require_interpreter


class FromZygotes:
    """Runs the programs of the contract, with an empty preparation, warm if the policy allows it."""

    def __init__(self, cold: Executor) -> None:
        self._cold = cold
        self.isolation = cold.isolation
        self.policies = cold.policies
        self.forks = cold.forks

    def isolation_under(self, policy: Policy, /) -> str:
        return self._cold.isolation_under(policy)

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return self._cold.warmed(work)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        # A search runs its baseline in a cold executor first, which looks at the interpreter.
        require_interpreter(work.interpreter, work.root)
        program = work.program.home / f"{work.program.module}.py"
        source = program.read_text(encoding="utf-8")
        if "def prepare(" not in source:
            program.write_text(source + "\ndef prepare(preparation):\n    pass\n", encoding="utf-8")
        prepared = replace(work, preparation={})
        async with self._cold.warmed(prepared) as warm:
            finished = await warm.run(prepared, tell)
        assert bool(finished.cold) is (work.policy is not Policy.STRICT), finished.cold
        return finished
