"""After a search its best candidate is measured, unless that is switched off, or another search begins."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions import searches as sessions
from certo.sessions.assembly.request import Request
from certo.sessions.evidence.background_strength import BackgroundStrength
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.events import Event, SearchStopped, StrengthMeasured, StrengthProgressed
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

FILES = {
    "sums.py": "def clamp(n: int) -> int:\n    if n < 0:\n        return 0\n    return n - 1\n",
    "test_sums.py": "from sums import clamp\n\ndef test_it():\n    assert clamp(5) == 5\n",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project", FILES)


@asynccontextmanager
async def client(
    monkeypatch: pytest.MonkeyPatch, *, quiet: float, patience: float = 5
) -> AsyncIterator[tuple[Searches, list[Event]]]:
    """Yield the searches of a client that measures after `quiet` seconds, and all events."""

    def measuring(**parts: object) -> BackgroundStrength:
        return BackgroundStrength(  # type: ignore[arg-type]  # the parts are given on
            **parts, quiet_seconds=quiet, patience_seconds=patience
        )

    monkeypatch.setattr(sessions, "BackgroundStrength", measuring)
    told: list[Event] = []
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        searches.subscribe(lambda _, event: told.append(event))
        yield searches, told
        group.cancel_scope.cancel()


async def found(searches: Searches, root: Path, **flags: object) -> LiveSearch:
    """Search to the end; return the search, whose best candidate is verified."""
    document = root / "sums.py"
    script = root.parent / "script.json"
    script.write_text(json.dumps([{"source": FILES["sums.py"].replace("n - 1", "n")}]))
    scripted = {"search": {"generator": "scripted", "strategy": "retry"}, "scripted": {"path": str(script)}}
    settings = {"interpreter": str(bare_python()), **scripted, **flags}
    asked = Request(document=document, text=document.read_text(), place=ByName("clamp"), flags=settings)
    live = searches.start(asked)
    with anyio.fail_after(120):
        await live.run.stopped.wait()
    assert live.state.best_row is not None
    assert live.state.best_row.verified
    return live


async def test_best_candidate_is_measured_afterwards(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with client(monkeypatch, quiet=0) as (searches, told):
        measured = anyio.Event()
        searches.subscribe(lambda _, event: measured.set() if isinstance(event, StrengthMeasured) else None)
        live = await found(searches, root)
        with anyio.fail_after(120):
            await measured.wait()
    kinds = [type(event) for event in told]
    assert kinds.index(SearchStopped) < kinds.index(StrengthProgressed) < kinds.index(StrengthMeasured)
    best = live.state.best_row
    assert best.report.strength is best.strength
    assert best.strength.noticed > 0
    assert any(gap.call == "clamp(-1)" for gap in best.strength.gaps), "no test gives a negative number"


@pytest.mark.slow
async def test_starved_measurement_begins_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that lets all others go first may never end on a busy machine."""
    async with client(monkeypatch, quiet=0, patience=0) as (searches, _):
        measured = anyio.Event()
        searches.subscribe(lambda _, event: measured.set() if isinstance(event, StrengthMeasured) else None)
        live = await found(searches, root)
        with anyio.fail_after(120):
            await measured.wait()
    assert live.state.best_row is not None
    assert live.state.best_row.strength.noticed > 0


@pytest.mark.slow
async def test_next_search_and_setting_end_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with client(monkeypatch, quiet=3600) as (searches, _):
        await found(searches, root)
        scope = searches._strengths._scope
        assert not scope.cancel_called
        live = await found(searches, root, **{"strength.after_search": False})
        assert scope.cancel_called, "the next search interrupts"
        assert searches._strengths._scope is scope, "and with the setting none begins after it"
    assert live.state.best_row is not None
    assert live.state.best_row.strength is None
