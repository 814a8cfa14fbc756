"""An executor whose runs all are in the background: they let every run that is not go first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from certo.sandbox.executor import Executor, Finished, Message, Policy, Work


class BackgroundExecutor:
    """Another executor, with everything that is run put in the background, whoever asks for it."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    @property
    def isolation(self) -> str:
        """How runs under the strictest policy are confined, in words a user can weigh."""
        return self._executor.isolation

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies a project's own tests may be given here, the strictest first."""
        return self._executor.policies

    def isolation_under(self, policy: Policy, /) -> str:
        """How runs under `policy` are confined, in words a user can weigh."""
        return self._executor.isolation_under(policy)

    @asynccontextmanager
    async def warmed(self, work: Work, /) -> AsyncIterator[Executor]:
        """An executor whose runs like this one start warm, in the background too; see `Executor`."""
        async with self._executor.warmed(replace(work, background=True)) as warm:
            yield BackgroundExecutor(warm)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, in the background; see `Executor`."""
        return await self._executor.run(replace(work, background=True), tell)
