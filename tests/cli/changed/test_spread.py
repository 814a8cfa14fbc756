"""`certo verify --changed` on a cluster judges as many functions at once as the workers have slots for."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.cli.main import main
from certo.cli.runs import changed_run
from certo.sandbox import function_turns
from certo.vocabulary.errors import BadRequest
from support.cli.command import Ran, certo
from support.projects.bare_environment import bare_python
from support.sandbox.cluster import cluster, while_a_worker_dies

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

FUNCTIONS = 4


def changed_project(root: Path) -> Path:
    """Write a repository in which some functions differ from the last commit, each with a test that waits."""
    root.mkdir()
    (root / "pyproject.toml").touch()
    for number in range(1, FUNCTIONS + 1):
        (root / f"m{number}.py").write_text(f"def f{number}(n: int) -> int:\n    return n + {number}\n")
        test = f"import time\n\nfrom m{number} import f{number}\n\n\n"
        test += f"def test_it():\n    time.sleep(0.2)\n    assert f{number}(1) == {number + 1}\n"
        (root / f"test_m{number}.py").write_text(test)
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    for number in range(1, FUNCTIONS + 1):
        (root / f"m{number}.py").write_text(f"def f{number}(n: int) -> int:\n    return {number} + n\n")
    return root


def test_a_function_for_each_slot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = changed_project(tmp_path / "project")
    begun: list[str] = []
    all_there = anyio.Event()
    monkeypatch.setattr(function_turns, "processors", lambda: 1)

    async def meet(changed: Any, *_: object, **__: object) -> None:
        begun.append(changed.target.short_name)
        if len(begun) == FUNCTIONS:
            all_there.set()
        with anyio.move_on_after(60):
            await all_there.wait()
        raise BadRequest(f"{len(begun)} have met")

    monkeypatch.setattr(changed_run, "judge_change", meet)
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "state"))
    with cluster(tmp_path / "cluster") as running:
        for _ in range(FUNCTIONS):
            running.start_worker("--slots", "1")
        anyio.run(running.wait_for, FUNCTIONS)
        monkeypatch.setenv("CERTO_EXECUTOR__CLUSTER", running.address)
        monkeypatch.setenv("CERTO_SANDBOX__ISOLATION", "process")
        main(["verify", "--changed", "--format", f"jsonl={tmp_path / 'said'}", "--interpreter", str(bare_python())])
    said = [json.loads(line) for line in (tmp_path / "said").read_text().splitlines()]
    assert [one["reason"] for one in said[:-1]] == [f"{FUNCTIONS} have met"] * FUNCTIONS
    assert [one["qualname"] for one in said[:-1]] == [f"f{number}" for number in range(1, FUNCTIONS + 1)]


async def test_a_killed_worker_loses_no_function(tmp_path: Path) -> None:
    root = changed_project(tmp_path / "project")
    command = partial(certo, root, "verify", "--changed", "--json")
    told: list[Ran] = []

    async def verify_there(address: str) -> None:
        told.append(await anyio.to_thread.run_sync(partial(command, CERTO_EXECUTOR__CLUSTER=address)))

    await while_a_worker_dies(tmp_path / "cluster", root.name, verify_there)
    # Elsewhere, for what the first run has found is in the journal.
    here = await anyio.to_thread.run_sync(partial(command, XDG_STATE_HOME=str(tmp_path / "here")))
    assert told[0].code == here.code == 0, told[0].err
    assert judged(told[0]) == judged(here)


def judged(ran: Ran) -> list[tuple[str, str, bool]]:
    """Return what was found out about each function, in order."""
    return [(one["qualname"], one["result"], one["cached"]) for one in ran.events[:-1]]
