"""The executors that hostile candidates are run by, and the world around each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.choosing import choose_executor
from certo.sandbox.executor import Executor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.verdict import Ruling
from hostile.court import Court, open_court
from hostile.environment import bare_environment
from hostile.gate import GATE
from hostile.row import PROJECT
from hostile.world import SECRET, World, digest, world
from support.projects import write_project


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One loop for all of the folder: an executor, and what it found out about the machine, serve it whole."""
    return "asyncio"


@pytest.fixture(scope="session", params=[pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "process"])
async def executor(request: pytest.FixtureRequest) -> Executor:
    """Each executor there is; small, so that bombs are small."""
    return await choose_executor(SandboxOptions(isolation=request.param, slots=2, memory_mebibytes=512))


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the projects that candidates are judged in."""
    return bare_environment(tmp_path_factory.mktemp("environment") / "bare")


@pytest.fixture(scope="session")
async def court(executor: Executor, python: Path, tmp_path_factory: pytest.TempPathFactory) -> Court:
    """Where our own rows are judged."""
    project = write_project(tmp_path_factory.mktemp("court"), PROJECT)
    return await open_court(executor, python, project, "mod.py", "double")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect nothing of the corpus where there is none."""
    without = config.getoption("hostile_corpus") is None
    return True if without and collection_path.name == "test_corpus.py" else None


@pytest.fixture(scope="session")
async def confined(court: Court, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let nothing loose in an executor that does not confine: rows would really kill, write and mount."""
    with world(tmp_path_factory.mktemp("gate")) as around:
        write_project(around.project, PROJECT)
        verdict = await court.judge(GATE.text(around.names), around.project, hurried=False)
    assert verdict.ruling is Ruling.FAILED, f"a door is open: {court.executor.isolation}"
    assert [finding.message.partition(":")[0] for finding in verdict.findings][:1] == ["tests/test_mod.py"]


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world with our own project in it; the environment of this process is the user's."""
    with world(tmp_path) as empty:
        write_project(empty.project, PROJECT)
        monkeypatch.setenv("HOME", str(empty.home))
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        yield replace(empty, before=digest(empty.project, empty.home))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is slow: each row is a search's worth of processes, with the world looked at before and after."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)
