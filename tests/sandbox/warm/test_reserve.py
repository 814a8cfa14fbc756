"""A worker that one search leaves prepared for the next one of its project."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.concurrency import background_tasks
from certo.sandbox.confinement import secrets
from certo.sandbox.executor import Message, Policy, Program, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process.process_table import descendants
from certo.sandbox.warm.reserve import Reserve
from support.sandbox.stage import OURS, Stage

PROGRAM = """
    import time

    prepared = []

    def prepare(preparation):
        prepared.append(time.time())

    def main(request, tell):
        import thing
        tell({"prepared": prepared, "thing": thing.NAME})
"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    stage = Stage(tmp_path)
    stage.write({"thing.py": "NAME = 'on disk'\n", "other.py": ""})
    return stage


@pytest.fixture
def executor() -> LocalExecutor:
    return LocalExecutor(SandboxOptions(slots=2))


def work(stage: Stage, text: str, path: str = "thing.py", policy: Policy = Policy.STRICT) -> Work:
    """Return a standing run with a text for a file."""
    packages = stage.home / "site-packages"
    packages.mkdir(exist_ok=True)
    interpreter = replace(OURS, readable=(*OURS.readable, packages))
    made = stage.work(PROGRAM, overlay={path: text}, policy=policy, interpreter=interpreter)
    return replace(made, preparation={}, standing=True)


async def search(reserve: Reserve, executor: LocalExecutor, wanted: Work) -> tuple[Message, bool]:
    """Return what one standing run says, and whether its worker was prepared before it was asked for."""
    said: list[Message] = []
    asked_at = time.time()
    async with reserve.over(executor).warmed(wanted) as warm:
        finished = await warm.run(wanted, said.append)
    assert finished.complete, finished.printed
    return said[0], said[0]["prepared"][0] < asked_at


async def until_prepared(reserve: Reserve) -> None:
    await reserve.renew()
    for kept in reserve._kept.values():
        assert kept.executor._worker is not None
        await kept.executor._worker.ready.wait()


async def test_next_runs_begin_in_renewed_workers(stage: Stage, executor: LocalExecutor) -> None:
    before = descendants(os.getpid())
    async with background_tasks() as group:
        reserve = Reserve(group)
        await reserve.renew()
        assert descendants(os.getpid()) == before, "the kind of the next run is not known"
        for name, is_early in (("first", False), ("second", True), ("third", True)):
            said, early = await search(reserve, executor, work(stage, f"NAME = {name!r}\n"))
            assert (said["thing"], early) == (name, is_early)
            assert descendants(os.getpid()) == before, "each worker serves one run"
            await until_prepared(reserve)
        await reserve.end()
        assert descendants(os.getpid()) == before


@pytest.mark.parametrize("change", ["text on disk", "other file", "policy", "secret", "installed", "folder"])
async def test_changes_end_the_kept_worker(stage: Stage, executor: LocalExecutor, change: str) -> None:
    """A worker of an earlier state, or of another kind, is not used; the run has one of its own."""
    wanted = work(stage, "NAME = 'new'\n")
    async with background_tasks() as group:
        reserve = Reserve(group)
        await search(reserve, executor, wanted)
        await until_prepared(reserve)
        match change:
            case "text on disk":
                stage.write({"thing.py": "NAME = 'another on disk'\n"})
            case "other file":
                wanted = work(stage, "", "other.py")
            case "policy":
                wanted = work(stage, "NAME = 'new'\n", policy=Policy.SUBPROCESS)
            case "folder":
                # One that is mounted stays visible to the worker, whatever has its name by now.
                former = stage.root.rename(stage.root.with_name("former"))
                shutil.copytree(former, stage.root)
                for entry in ("thing.py", "other.py"):
                    shutil.copystat(former / entry, stage.root / entry)
            case "secret":
                stage.write({".env": "KEY=1\n"})
                secrets._found.clear()
            case _:
                os.utime(stage.home / "site-packages", ns=(1, 1))
        _said, early = await search(reserve, executor, wanted)
        assert not early


async def test_each_program_has_a_worker(stage: Stage, executor: LocalExecutor) -> None:
    thing = work(stage, "NAME = 'new'\n")
    other = replace(thing, program=Program(home=thing.program.home, module="other_program"))
    shutil.copyfile(thing.program.home / f"{thing.program.module}.py", thing.program.home / "other_program.py")
    async with background_tasks() as group:
        reserve = Reserve(group)
        for wanted in (thing, other):
            await search(reserve, executor, wanted)
        await until_prepared(reserve)
        for wanted in (thing, other):
            assert (await search(reserve, executor, wanted))[1]
        await reserve.end()


@pytest.mark.parametrize(("saved", "is_ready"), [("thing.py", True), ("other.py", False)])
async def test_saved_files_renew_the_worker(
    stage: Stage, executor: LocalExecutor, saved: str, *, is_ready: bool
) -> None:
    """After a repair was saved, the next one of the same file begins in a worker that saw the new text."""
    wanted = work(stage, "NAME = 'new'\n")
    async with background_tasks() as group:
        reserve = Reserve(group)
        await reserve.refresh(stage.root / saved)
        assert not reserve._kept, "nothing was left by a search"
        await search(reserve, executor, wanted)
        await until_prepared(reserve)
        stage.write({"thing.py": "NAME = 'saved'\n"})
        await reserve.refresh(stage.root / saved)
        for kept in reserve._kept.values():
            assert kept.executor._worker is not None
            await kept.executor._worker.ready.wait()
        said, early = await search(reserve, executor, wanted)
        assert (said["thing"], early) == ("new", is_ready)
        await reserve.end()


async def test_ended_reserves_keep_nothing(stage: Stage, executor: LocalExecutor) -> None:
    before = descendants(os.getpid())
    async with background_tasks() as group:
        reserve = Reserve(group)
        await search(reserve, executor, work(stage, "NAME = 'new'\n"))
        async with anyio.create_task_group() as both:
            both.start_soon(reserve.renew)
            both.start_soon(reserve.end)
        assert not reserve._kept
    assert descendants(os.getpid()) == before
