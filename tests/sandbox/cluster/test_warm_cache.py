"""Warm executors are kept while somebody wants them, a few at most, and all end when their keeper does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.sandbox.cluster.warm_cache import KeptPools
from certo.sandbox.executor import Executor, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.errors import SandboxUnavailable
from support.sandbox.stage import Stage


class Counting(LocalExecutor):
    """The plain executor, counting what of it is warm; `fails` says that nothing gets warm."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__(SandboxOptions())
        self.warm = 0
        self.most = 0
        self.fails = fails

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        return self._warmed()

    @asynccontextmanager
    async def _warmed(self) -> AsyncIterator[Executor]:
        if self.fails:
            raise SandboxUnavailable("it does not get warm")
        self.warm += 1
        self.most = max(self.most, self.warm)
        try:
            yield self
        finally:
            self.warm -= 1


@asynccontextmanager
async def keeping(most: int) -> AsyncIterator[KeptPools]:
    """A keeper at work."""
    kept = KeptPools(most)
    async with anyio.create_task_group() as group:
        group.start_soon(kept.serve)
        await anyio.wait_all_tasks_blocked()
        yield kept
        kept.end()


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Stage(tmp_path).work("")


async def test_warm_executors_are_shared_until_released(work: Work) -> None:
    """The last one who lets go ends it."""
    executor = Counting()
    async with keeping(3) as kept:
        async with kept.warmed("key", "a", executor, work) as one, kept.warmed("key", "b", executor, work) as other:
            assert one is other
        await kept.let_go("a")
        assert executor.warm == 1
        await kept.let_go("b")
        assert executor.warm == 0
    assert executor.most == 1


async def test_unused_warm_executors_are_limited(work: Work) -> None:
    """Those in use are kept."""
    executor = Counting()
    async with keeping(2) as kept:
        async with kept.warmed("first", "a", executor, work):
            for number in range(4):
                async with kept.warmed(str(number), "a", executor, work):
                    pass
            await anyio.wait_all_tasks_blocked()
            assert executor.warm == 2
        assert executor.most <= 3
    assert executor.warm == 0


async def test_release_waits_for_the_run(work: Work) -> None:
    executor = Counting()
    async with keeping(3) as kept:
        async with kept.warmed("key", "a", executor, work):
            await kept.let_go("a")
            assert executor.warm == 1
        await anyio.wait_all_tasks_blocked()
        assert executor.warm == 0


async def test_warming_failures_are_reported_to_everyone(work: Work) -> None:
    """Later it is tried again."""
    executor = Counting(fails=True)
    async with keeping(3) as kept:
        for _ in range(2):
            with pytest.raises(SandboxUnavailable, match="it does not get warm"):
                async with kept.warmed("key", "a", executor, work):
                    pass
        executor.fails = False
        async with kept.warmed("key", "a", executor, work):
            assert executor.warm == 1


async def test_a_real_run_through_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    messages: list[Message] = []
    work = stage.work("def main(request, tell):\n    tell({'warm': True})\n")
    async with keeping(3) as kept:
        async with kept.warmed("key", "a", Counting(), work) as warm:
            assert (await warm.run(work, messages.append)).complete
        await kept.let_go("a")
    assert messages == [{"warm": True}]
