"""The run that takes a fingerprint: it begins in a kept worker, and nobody waits for the end of its process."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from certo.concurrency import background_tasks
from certo.sandbox.executor import Executor, ExecutorWrapper, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.warm.reserve import Reserve
from certo.verification.verdict_cache import Fingerprint, take_fingerprint
from support.projects.projects import own_interpreter, write_project


class Endless(ExecutorWrapper):
    """Executor whose runs say all that they have to say, and do not end."""

    @asynccontextmanager
    async def warmed(self, work: Work, /) -> AsyncIterator[Executor]:
        """Yield this executor."""
        yield self

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program, and wait for ever."""
        await self._executor.run(work, tell)
        await anyio.sleep_forever()
        raise AssertionError


async def test_fingerprints_are_told_before_the_end(tmp_path: Path) -> None:
    root = write_project(tmp_path / "sums", {"sums.py": "ONE = 1\n"})
    await anyio.sleep(0.1)  # No file may be too new for it to be sure.
    found, is_found = list[Fingerprint](), anyio.Event()

    def hear(fingerprint: Fingerprint) -> None:
        found.append(fingerprint)
        is_found.set()

    async def look() -> None:
        executor = Endless(LocalExecutor(SandboxOptions()))
        await take_fingerprint(root, executor, own_interpreter(), None, since=time.time_ns(), tell=hear)

    async with background_tasks() as group:
        group.start_soon(look)
        await is_found.wait()
    assert list(found[0].sources) == ["sums.py"]


async def test_next_fingerprint_begins_in_a_kept_worker(tmp_path: Path) -> None:
    root = write_project(tmp_path / "sums", {"sums.py": "ONE = 1\n"})
    executor = LocalExecutor(SandboxOptions())
    found: list[Fingerprint] = []
    async with background_tasks() as group:
        reserve = Reserve(group)

        async def take() -> None:
            await anyio.sleep(0.1)
            over, since = reserve.over(executor), time.time_ns()
            await take_fingerprint(root, over, own_interpreter(), None, since=since, tell=found.append)

        await take()
        await reserve.renew()
        [kept] = reserve._kept.values()
        (root / "sums.py").write_text("ONE = 2\n", encoding="utf-8")
        await take()
        assert kept.ended.is_set(), "it was not used"
        await reserve.renew()
        await take()
        await reserve.end()
    first, changed, same = (each.text for each in found)
    assert first != changed == same
