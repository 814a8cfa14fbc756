"""Runs on other machines: what a second worker brings, what the way there costs, and how far one scheduler reaches.

The first part runs the same programs on one worker and on two, each with one slot, on this machine's loopback. It can
only double where there are processors for two workers, the scheduler and this process; the second figure, of runs that
wait instead of computing, says what the way there and back leaves of it wherever there are fewer.

The second part is a simulation of hundreds of workers: the scheduler is real and is sent orders of a real size, the
workers are so many that share one process and answer after a while without running anything. What is measured is the
processor time the scheduler spends on each run, which is the limit of a cluster with one scheduler.

    python tests/benchmarks/cluster.py [--runs 40] [--workers 10 100 200]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import anyio
from distributed import Client

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.sandbox.process import process_table
from support.sandbox.cluster import cluster
from support.sandbox.stage import Stage

COMPUTES = """
    import time

    def main(request, tell):
        end = time.process_time() + request["seconds"]
        while time.process_time() < end:
            pass
        tell({})
"""
WAITS = "import time\n\ndef main(request, tell):\n    time.sleep(request['seconds'])\n    tell({})\n"
ORDER, ANSWER = "x" * 8000, "y" * 2000
ANSWERS_AFTER = 0.5


async def runs_a_second(place: Path, workers: int, source: str, seconds: float, runs: int) -> float:
    """How many runs of a program a cluster of so many workers ends in a second."""
    stage = Stage(place)
    with cluster(place / "cluster") as running:
        for _ in range(workers):
            running.start_worker("--slots", "1")
        executor = await running.join(workers)
        work = stage.work(source, request={"seconds": seconds})
        async with executor.warmed(work) as held:
            # The first run of each worker unpacks the project.
            await _all(held.run, work, 4 * workers)
            began = time.perf_counter()
            await _all(held.run, work, runs)
            return runs / (time.perf_counter() - began)


async def _all(run: object, work: object, count: int) -> None:
    async with anyio.create_task_group() as group:
        for _ in range(count):
            group.start_soon(run, work, lambda _: None)  # type: ignore[arg-type]  # the executor's own


async def _answer_later(_text: str) -> str:
    await anyio.sleep(ANSWERS_AFTER)
    return ANSWER


async def scheduler_seconds(place: Path, workers: int, each: int) -> tuple[float, float]:
    """The processor seconds a scheduler of so many workers spends on one run, and how many runs ended in a second."""
    with cluster(place) as running:
        running.start([sys.executable, "-m", "support.sandbox.many_workers", running.address, str(workers)])
        async with Client(running.address, asynchronous=True, timeout=60, set_as_default=False) as client:
            await client.wait_for_workers(workers, timeout=300)
            scheduler = running.scheduler.pid
            used, began = _used(scheduler), time.perf_counter()
            futures = [client.submit(_answer_later, ORDER, key=f"run-{n}", pure=False) for n in range(workers * each)]
            await client.gather(futures)
            total = len(futures)
            return (_used(scheduler) - used) / total, total / (time.perf_counter() - began)


def _used(pid: int) -> float:
    return next(process.cpu_seconds for process in process_table.process_table() if process.pid == pid)


async def main(runs: int, workers: list[int]) -> None:
    """Print both parts."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        for name, source, seconds in (("computing", COMPUTES, 0.1), ("waiting", WAITS, 0.3)):
            one, two = [
                await runs_a_second(Path(tempfile.mkdtemp(dir=place)), number, source, seconds, runs)
                for number in (1, 2)
            ]
            print(
                f"{name} for {seconds * 1000:.0f} ms: {one:.2f} runs a second on one worker, {two:.2f} on two: "
                f"{two / one:.2f} x ({os.cpu_count()} processors)",
                flush=True,
            )
        for count in workers:
            spent, rate = await scheduler_seconds(place / f"simulated-{count}", count, each=6)
            print(
                f"{count} simulated workers: the scheduler spends {spent * 1000:.2f} ms on a run, so it reaches "
                f"{1 / spent:.0f} runs a second ({rate:.0f} were seen)",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--workers", type=int, nargs="*", default=[10, 100, 200])
    arguments = parser.parse_args()
    anyio.run(main, arguments.runs, arguments.workers)
