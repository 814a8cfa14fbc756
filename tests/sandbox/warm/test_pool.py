"""A pool of prepared workers: each prepared once, for one run, replaced when it dies, and gone with the pool."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Ending, Message, Policy, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import process_table, start_of
from certo.sandbox.warm.pool import Pool, pooled
from certo.sandbox.warm.prepared import Starter
from support.sandbox.stage import Stage

PROGRAM = """
    import os, random

    prepared = []

    def prepare(preparation):
        prepared.append((os.getpid(), preparation["word"]))

    def main(request, tell):
        import thing
        tell({"prepared": prepared, "pid": os.getpid(), "word": request.get("word"), "thing": thing.NAME})
        tell({"read": open("thing.py").read()})
"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    stage = Stage(tmp_path)
    stage.write({"thing.py": "NAME = 'on disk'\n"})
    return stage


@pytest.fixture(params=["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
async def starter(request: pytest.FixtureRequest) -> Starter:
    options = SandboxOptions(slots=2)
    return (
        LocalExecutor(options) if request.param == "process" else BubblewrapExecutor(options, await find_bubblewrap())
    )


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After every test no worker lives, no scratch directory is there, and no descriptor is open but those before."""
    before = len(os.listdir("/proc/self/fd"))
    yield
    assert workers() == []
    assert not list(Path(tempfile.gettempdir()).glob(mine() + "*"))
    assert len(os.listdir("/proc/self/fd")) <= before


@pytest.fixture
async def pool(starter: Starter, stage: Stage) -> AsyncIterator[Pool]:
    async with pooled(starter, work(stage), 2) as pool:
        yield pool


def work(stage: Stage, source: str = PROGRAM, *, name: str = "a candidate's", **how: Any) -> Work:
    """Return a run whose candidate is a text for thing.py."""
    made = stage.work(source, overlay={"thing.py": f"NAME = {name!r}\n"}, **how)
    return replace(made, preparation={"word": "common"})


def mine() -> str:
    return f"certo-{os.getpid()}-{start_of(os.getpid())}-"


def workers() -> list[int]:
    """Return the programs' processes that are ours: those that lead a group of their own under a keeper."""
    found = []
    for process in process_table():
        try:
            if mine().encode() in Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


async def until_waiting(pool: Pool) -> None:
    """Until all its workers stand prepared."""
    for worker in list(pool._waiting):
        await worker.ready.wait()


async def test_each_worker_serves_one_run(pool: Pool, stage: Stage) -> None:
    """It is prepared once."""
    pids = set()
    for number in range(5):
        messages: list[Message] = []
        finished = await pool.run(work(stage, name=f"number {number}", request={"word": number}), messages.append)
        assert (finished.complete, finished.cold) == (True, "")
        said = messages[0]
        assert said["word"] == number
        assert said["thing"] == f"number {number}"
        assert [word for _, word in said["prepared"]] == ["common"]
        pids.add((said["pid"], messages[0]["prepared"][0][0], number))
    assert len(pids) == 5


async def test_nothing_is_started_before_the_first_run(pool: Pool) -> None:
    assert workers() == []


async def test_opened_files_are_candidates_only_in_bubblewrap(starter: Starter, pool: Pool, stage: Stage) -> None:
    """Only a file system of its own can show the candidate to those who open the file."""
    messages: list[Message] = []
    await pool.run(work(stage, name="theirs"), messages.append)
    own = isinstance(starter, BubblewrapExecutor)
    assert messages[1]["read"] == ("NAME = 'theirs'\n" if own else "NAME = 'on disk'\n")


async def test_failed_programs_are_seen_from_outside(pool: Pool, stage: Stage) -> None:
    source = """
        import os
        def prepare(preparation): pass
        def main(request, tell): eval(request["do"])
    """
    statuses = {}
    for do in ("1 / 0", "os._exit(0)", "os._exit(7)", "os.kill(os.getpid(), 9)"):
        finished = await pool.run(work(stage, source, request={"do": do}), lambda _: None)
        assert (finished.complete, finished.cold) == (False, "")
        statuses[do] = finished.status
    assert statuses == {"1 / 0": 1, "os._exit(0)": 0, "os._exit(7)": 7, "os.kill(os.getpid(), 9)": -9}


async def test_dead_waiting_workers_are_replaced(pool: Pool, stage: Stage) -> None:
    await pool.run(work(stage), lambda _: None)
    await until_waiting(pool)
    for pid in workers():
        # The first process of a namespace takes the others along.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    finished = await pool.run(work(stage), lambda _: None)
    assert (finished.complete, finished.cold) == (True, "")


async def test_changed_files_make_new_workers(pool: Pool, stage: Stage) -> None:
    source = """
        def prepare(preparation):
            import settings
        def main(request, tell):
            import settings
            tell({"value": settings.VALUE})
    """
    seen = []
    for value in ("before", "after it"):
        stage.write({"settings.py": f"VALUE = {value!r}\n"})
        messages: list[Message] = []
        finished = await pool.run(work(stage, source), messages.append)
        assert finished.cold == ""
        await until_waiting(pool)
        seen.append(messages[0]["value"])
    assert seen == ["before", "after it"]


async def test_candidates_loaded_by_preparation_run_cold(pool: Pool, stage: Stage) -> None:
    source = """
        def prepare(preparation):
            import thing
        def main(request, tell):
            import thing
            tell({"thing": thing.NAME})
    """
    for _ in range(2):
        messages: list[Message] = []
        # Without a pool the overlay is there from the start on, so that the preparation loads the candidate.
        finished = await pool.run(work(stage, source), messages.append)
        assert messages == [{"thing": "a candidate's"}]
        assert finished.cold == f"its preparation has loaded what the candidate changes: {stage.root / 'thing.py'}"


async def test_failed_preparations_are_reported_as_cold(pool: Pool, stage: Stage) -> None:
    source = """
        def prepare(preparation):
            if "worker" not in preparation:
                raise ValueError("nothing to prepare")
        def main(request, tell): pass
    """
    for _ in range(2):
        finished = await pool.run(work(stage, source), lambda _: None)
        assert finished.cold == "its preparation failed: ValueError: nothing to prepare"
        assert "nothing to prepare" in finished.printed


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"preparation": {"word": "another"}}, "another kind"),
        ({"policy": Policy.SUBPROCESS}, "another kind"),
        ({"standing": True}, "another kind"),
        ({"overlay": {}}, "other files"),
    ],
)
async def test_unprepared_work_runs_cold_with_reason(
    pool: Pool, stage: Stage, change: dict[str, Any], words: str
) -> None:
    messages: list[Message] = []
    finished = await pool.run(replace(work(stage), **change), messages.append)
    assert finished.complete
    assert words in finished.cold
    assert workers() == []


async def test_limits_hold_from_when_a_run_begins(pool: Pool, stage: Stage) -> None:
    source = """
        def prepare(preparation): pass
        def main(request, tell):
            while True: pass
    """
    spinning = work(stage, source, wall_seconds=0.5)
    assert (await pool.run(spinning, lambda _: None)).ending is Ending.WALL
    burning = work(stage, source, cpu_seconds=1.0)
    finished = await pool.run(burning, lambda _: None)
    assert (finished.ending, finished.cold) == (Ending.CPU, "")


async def test_settings_cap_the_limits_of_warm_runs(stage: Stage) -> None:
    source = """
        def prepare(preparation): pass
        def main(request, tell): print("x" * (2 << 20))
    """
    frugal = LocalExecutor(SandboxOptions(slots=1, output_mebibytes=1))
    async with pooled(frugal, work(stage, source), 1) as pool:
        finished = await pool.run(work(stage, source), lambda _: None)
    assert (finished.ending, finished.cold) == (Ending.OUTPUT, "")


async def test_cancelling_kills_only_the_runs_worker(pool: Pool, stage: Stage) -> None:
    source = """
        import os, time
        def prepare(preparation): pass
        def main(request, tell):
            tell({"pid": os.getpid()})
            time.sleep(request["seconds"])
    """
    with anyio.CancelScope() as scope:
        await pool.run(work(stage, source, request={"seconds": 1000}), lambda _: scope.cancel())
    assert scope.cancelled_caught
    await until_waiting(pool)
    before = len(workers())
    finished = await pool.run(work(stage, source, request={"seconds": 0}), lambda _: None)
    assert (finished.complete, finished.cold) == (True, "")
    await until_waiting(pool)
    assert len(workers()) == before


async def test_concurrent_runs_get_separate_workers(pool: Pool, stage: Stage) -> None:
    heard: dict[int, list[Message]] = {number: [] for number in range(8)}

    async def run(number: int) -> None:
        finished = await pool.run(work(stage, name=f"number {number}"), heard[number].append)
        assert (finished.complete, finished.cold) == (True, "")

    async with anyio.create_task_group() as group:
        for number in heard:
            group.start_soon(run, number)
    assert [messages[0]["thing"] for messages in heard.values()] == [f"number {number}" for number in heard]


async def test_exceptions_inside_a_pool_propagate(starter: Starter, stage: Stage) -> None:
    async def fail_within_a_pool() -> None:
        async with pooled(starter, work(stage), 1) as pool:
            await pool.run(work(stage), lambda _: None)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_within_a_pool()
