"""The executors that hostile candidates are run by, and the world around them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from certo.sandbox.executor import Executor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.selection import choose_executor
from certo.vocabulary.verdict import Ruling
from hostile.court import Court, open_court, warmed
from hostile.gate import GATE
from hostile.row import PROJECT
from hostile.world import World, users_world
from support.projects.bare_environment import bare_environment

QUICK = ("test_telling_rows.py", "test_compared_versions.py", "test_timed_versions.py")
"""Files whose rows need no search of their own."""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop for a whole file, which shares an executor and its knowledge of the machine.

    A loop that lived longer would be found running by the tests of other files that start one of their own.
    """
    return "asyncio"


@pytest.fixture(scope="module", params=[pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "process"])
async def executor(request: pytest.FixtureRequest) -> Executor:
    """Each executor; small, so that bombs are small."""
    return await choose_executor(SandboxOptions(isolation=request.param, slots=2, memory_mebibytes=512))


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the candidates' projects: a new one, because they would spoil the kept one."""
    return bare_environment(tmp_path_factory.mktemp("environment") / "bare")


@pytest.fixture(scope="module")
async def confined(executor: Executor, python: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Run no row in an executor that does not confine: rows would really kill, write and mount."""
    with users_world(tmp_path_factory.mktemp("gate"), PROJECT) as around:
        cold = await open_court(executor, python, around.project, "mod.py", "double")
        async with warmed(cold) as warm:
            for court in (cold, warm):
                verdict = (await court.judge(GATE.text(around.names), hurried=False)).by_tests
                assert verdict.ruling is Ruling.FAILED, f"a door is open: {executor.isolation}"
                said = [finding.message.partition(":")[0] for finding in verdict.findings]
                assert said[:1] == ["tests/test_mod.py"]


@pytest.fixture(scope="module")
def own_world(executor: Executor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world with our own project in it, one for each executor."""
    with users_world(tmp_path_factory.mktemp("world"), PROJECT) as around:
        yield around


@pytest.fixture(scope="module")
async def cold_court(executor: Executor, python: Path, own_world: World, confined: None) -> Court:
    """The court that judges our own rows in fresh processes."""
    return await open_court(executor, python, own_world.project, "mod.py", "double")


@pytest.fixture(scope="module")
async def court(cold_court: Court) -> AsyncIterator[Court]:
    """The court that judges them one after another, warm: all of them start from one zygote."""
    async with warmed(cold_court) as court:
        yield court


@pytest.fixture
def around(own_world: World, court: Court) -> World:
    """The world as it is now, with the zygote in it."""
    own_world.look()
    return own_world


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect nothing of the corpus if there is none."""
    without = config.getoption("hostile_corpus") is None
    return True if without and collection_path.name == "test_corpus.py" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Nearly everything here is slow: each row starts the processes of a search and compares the whole world."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and item.path.name not in QUICK:
            item.add_marker(pytest.mark.slow)
