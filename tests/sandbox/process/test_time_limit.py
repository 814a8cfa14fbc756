"""The end of a run by time: neither what others take of the machine nor what passes meanwhile is the run's."""

from __future__ import annotations

import sys

import anyio

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Ending, Limits
from certo.sandbox.process.process_table import tree
from certo.sandbox.process.time_limit import Backstop

STARVED = """
import os, time
from certo_worker.confinement import limits
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
for _ in range(7):
    if os.fork() == 0:
        limits.die_with_parent(9)
        while True: pass
began = time.monotonic()
while time.process_time() < 0.2: pass
print(time.monotonic() - began > 0.5, flush=True)
time.sleep(1000)
"""


async def test_time_without_a_processor_is_not_counted() -> None:
    said: list[str] = []
    process = await anyio.open_process([sys.executable, "-c", STARVED], cwd=WORKER_HOME)

    async def hear() -> None:
        assert process.stdout is not None
        said.append((await process.stdout.receive()).decode())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(hear)
            backstop = Backstop(Limits(wall_seconds=0.5, cpu_seconds=60))
            ending = await backstop.reached(lambda: tree(process.pid)[:1])
            ended = [*said]
            group.cancel_scope.cancel()
    finally:
        process.kill()
        await process.wait()
        await process.aclose()
    assert (ending, ended) == (Ending.WALL, ["True\n"])


async def test_runs_without_a_process_end_by_time() -> None:
    assert await Backstop(Limits(wall_seconds=0.1)).reached(list) is Ending.WALL


async def test_a_resumed_run_has_its_full_time() -> None:
    backstop, ended = Backstop(Limits(wall_seconds=1000)), list[Ending]()

    async def wait() -> None:
        ended.append(await backstop.reached(list))

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        backstop.suspend()
        await anyio.wait_all_tasks_blocked()
        assert not ended
        backstop.begin(Limits(wall_seconds=0.05))
    assert ended == [Ending.WALL]
