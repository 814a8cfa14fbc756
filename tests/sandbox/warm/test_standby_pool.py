"""A worker that stands by for one run: prepared before the run is known, and gone with it or with its context."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor, Message, Policy, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import process_table, start_of
from certo.sandbox.warm.pool import StandBy
from support.sandbox.stage import Stage

PROGRAM = """
    import time

    prepared = []

    def prepare(preparation):
        prepared.append(time.time())

    def main(request, tell):
        import thing
        tell({"prepared": prepared, "word": request["word"], "thing": thing.NAME})
"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    stage = Stage(tmp_path)
    stage.write({"thing.py": "NAME = 'on disk'\n"})
    return stage


@pytest.fixture(params=["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
async def executor(request: pytest.FixtureRequest) -> Executor:
    options = SandboxOptions(slots=2)
    return (
        LocalExecutor(options) if request.param == "process" else BubblewrapExecutor(options, await find_bubblewrap())
    )


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After every test no worker lives, and no scratch directory is there."""
    yield
    assert not list(Path(tempfile.gettempdir()).glob(f"certo-{os.getpid()}-{start_of(os.getpid())}-*"))
    assert not workers()


def workers() -> list[int]:
    """Return the processes that are ours."""
    mine = f"certo-{os.getpid()}-{start_of(os.getpid())}-".encode()
    found = []
    for process in process_table():
        try:
            if mine in Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


def work(stage: Stage, name: str, **how: Any) -> Work:
    """Return a standing run whose candidate is a text for thing.py."""
    made = stage.work(PROGRAM, overlay={"thing.py": f"NAME = {name!r}\n"}, **how)
    return replace(made, preparation={}, standing=True)


async def until_prepared(executor: Executor) -> None:
    assert isinstance(executor, StandBy)
    assert executor._worker is not None
    await executor._worker.ready.wait()


async def run(executor: Executor, work: Work) -> Message:
    said: list[Message] = []
    finished = await executor.run(work, said.append)
    assert finished.complete, finished.printed
    return said[0]


async def test_only_the_first_run_starts_warm(executor: Executor, stage: Stage) -> None:
    async with executor.warmed(work(stage, "unknown")) as standing_by:
        await until_prepared(standing_by)
        for word in ("first", "second"):
            asked_at = time.time()
            said = await run(standing_by, work(stage, f"the {word}'s", request={"word": word}))
            assert (said["word"], said["thing"]) == (word, f"the {word}'s")
            assert [at < asked_at for at in said["prepared"]] == [word == "first"]
            assert not workers()


async def test_changed_files_are_read_anew(executor: Executor, stage: Stage) -> None:
    async with executor.warmed(work(stage, "unknown")) as standing_by:
        await until_prepared(standing_by)
        stage.write({"thing.py": "NAME = 'another on disk'\n"})
        asked_at = time.time()
        said = await run(standing_by, work(stage, "theirs", request={"word": ""}))
    assert said["thing"] == "theirs"
    assert said["prepared"][0] > asked_at


@pytest.mark.parametrize("change", [{"policy": Policy.SUBPROCESS}, {"preparation": {"another": 1}}])
async def test_unfit_runs_use_the_plain_executor(executor: Executor, stage: Stage, change: dict[str, Any]) -> None:
    async with executor.warmed(work(stage, "unknown")) as standing_by:
        said = await run(standing_by, replace(work(stage, "theirs", request={"word": "new"}), **change))
        assert said["thing"] == "theirs"
        assert not workers()
