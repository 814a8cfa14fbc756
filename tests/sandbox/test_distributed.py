"""Runs on other machines: a real scheduler, real workers, each a process on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from certo.sandbox.executor import Executor
from support.cluster import Cluster, cluster
from support.stage import Stage


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with one worker."""
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        running.start_worker("--slots", "2")
        yield running


@pytest.fixture
async def executor(small: Cluster) -> Executor:
    return await small.join(1)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


async def test_it_says_how_its_workers_confine(executor: Executor) -> None:
    assert executor.isolation.startswith("on 1 worker: Landlock, seccomp: no network")


async def test_a_run_goes_there_and_back(executor: Executor, stage: Stage) -> None:
    stage.write({"pack/__init__.py": "", "pack/one.py": "def answer():\n    return 1\n"})
    heard = await stage.run(
        executor,
        """
        def main(request, tell):
            from pack import one
            tell({"root": request["root"], "file": one.__file__, "answer": one.answer()})
        """,
        request={"root": str(stage.root)},
        overlay={"pack/one.py": "def answer():\n    return 2\n"},
    )
    assert heard.finished.complete, heard.finished.printed
    assert heard.messages == [{"root": str(stage.root), "file": str(stage.root / "pack" / "one.py"), "answer": 2}]
