"""Cancel means stopped: processes that will not die are dead, connections that would never end are closed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sandbox.process import process_table
from certo.sandbox.process.resource_tracker import ResourceTracker, entered, track
from certo.sessions.assembly.request import Request
from certo.sessions.failures import stop
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.errors import CancelIncomplete
from certo.vocabulary.events import SearchPreparing
from certo.vocabulary.outcome import Outcome
from support.models.model_server import Page, chunk, event, model_server
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

SUMS = "def double(n):\n    return n * 3\n"
STUBBORN = """\
import os
import signal
import subprocess
import time

from sums import double


def test_double_and_a_program():
    assert double(0) == 0
    assert subprocess.run(["true"]).returncode == 0


def test_double():
    assert double(5) == 10
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for _ in range(2):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
            time.sleep(600)
    time.sleep(600)
"""
"""Red at first; with a right candidate it leaves children and grandchildren in sessions of their own, and stays."""


@asynccontextmanager
async def searches_of() -> AsyncIterator[Searches]:
    async with anyio.create_task_group() as group:
        yield Searches(group, environ={"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": "/nowhere", "KEY": "sk-none"})
        group.cancel_scope.cancel()


def start(searches: Searches, root: Path, **flags: object) -> LiveSearch:
    flags = {"interpreter": str(bare_python()), "search": {"seconds": 60}, **flags}
    return searches.start(Request(document=root / "sums.py", text=SUMS, place=ByName("double"), flags=flags))


async def test_stubborn_children_are_dead_after_cancel(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"sums.py": SUMS, "test_sums.py": STUBBORN, "pyproject.toml": ""})
    async with searches_of() as searches:
        live = start(searches, root, tests={"seconds": 50})
        with anyio.fail_after(60):
            while len(process_table.descendants(os.getpid())) < 5:
                assert live.running, live.state.stopped
                await anyio.sleep(0.01)
        assert any(f"in {root}" in words for words in live.run.resources.left())
        await searches.cancel(live)
        assert process_table.descendants(os.getpid()) == []
        assert live.run.resources.left() == ()
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.CANCELLED


async def test_search_waiting_its_turn_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certo.sessions.turns.processors", lambda: 1)
    monkeypatch.setattr("certo.sessions.turns.MAX_SECONDS", 1000.0)
    root = write_project(tmp_path, {"sums.py": SUMS, "test_sums.py": STUBBORN, "pyproject.toml": ""})
    async with searches_of() as searches:
        first, second = start(searches, root, tests={"seconds": 50}), start(searches, root)
        await anyio.wait_all_tasks_blocked()
        await searches.cancel(second)
        assert [event.message for event in second.history.since(0) if isinstance(event, SearchPreparing)] == [
            "waiting for the searches that were started before"
        ]
        assert second.state.stopped is not None
        assert second.state.stopped.outcome is Outcome.CANCELLED
        assert first.running
        await searches.cancel(first)


async def test_endless_answer_is_cut_at_cancel(tmp_path: Path) -> None:
    """A model that never ends its answer sees the connection closed."""
    root = write_project(
        tmp_path, {"sums.py": SUMS, "test_sums.py": "from sums import double\n\n\ndef test(): assert double(1) == 2\n"}
    )
    page = Page(pieces=(event(chunk("x")),), open=True)
    async with model_server(lambda _: page) as server, searches_of() as searches:
        model = {"name": "openai:small", "base_url": f"{server.url}/v1", "key_variable": "KEY", "cache": False}
        live = start(searches, root, model=model, search={"generator": "model", "seconds": 60})
        await server.witness.until(asked=1)
        assert "a call of openai:small" in live.run.resources.left()
        await searches.cancel(live)
        assert live.run.resources.left() == ()
        await server.witness.until(left=len(server.witness.asked))


async def test_leftovers_after_the_deadline_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certo.sessions.failures.STOP_SECONDS", 0.05)
    roll, stopped = ResourceTracker(), anyio.Event()
    stopped.set()
    async with await anyio.open_process(["sleep", "600"], stdin=subprocess.DEVNULL, start_new_session=True) as sleeper:
        with roll.kept(), entered("a call of somebody"):
            leave = track("a sleeper", sleeper.pid)
            with pytest.raises(CancelIncomplete, match=rf"call of somebody; process {sleeper.pid} of a sleeper"):
                await stop(anyio.CancelScope(), stopped, roll)
        sleeper.kill()
        await sleeper.wait()
        assert roll.left() == ()
        leave()
    assert await stop(anyio.CancelScope(), stopped, roll) >= 0
    with pytest.raises(CancelIncomplete, match="work of certo's own"):
        await stop(anyio.CancelScope(), anyio.Event(), roll)


async def test_work_without_search_is_untracked() -> None:
    roll = ResourceTracker()
    with entered("something"):
        assert roll.left() == ()
