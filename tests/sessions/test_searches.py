"""A live search ends with exactly one word, whatever happens to it, and its client's world lives on."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo.edits.target import ByName
from certo.generation.builtin.generator import BuiltinGenerator
from certo.generation.generator import ProblemPreview
from certo.sandbox.process import process_table
from certo.search.engine import Parts
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.parts import assemble
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.sessions.subscribers import Subscribers
from certo.verification.verifier import Pipeline
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import (
    BadRequest,
    BadSetting,
    NoInterpreter,
    SearchNotFound,
    StaleText,
    TargetNotFound,
)
from certo.vocabulary.events import Event, SearchStarted, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project
from support.projects.sums import SUMS, TESTS
from support.search.events import told as every_event
from support.search.live_searches import live_search


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"sums.py": SUMS, "test_sums.py": TESTS, "pyproject.toml": "[tool.pytest.ini_options]\n"}
    return write_project(tmp_path, files)


@asynccontextmanager
async def client() -> AsyncIterator[tuple[Searches, list[Event]]]:
    """The searches of a client, and every event told of them; all is ended on leaving."""
    told: list[Event] = []
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        searches.subscribe(lambda _, event: told.append(event))
        yield searches, told
        group.cancel_scope.cancel()


def request(root: Path, *, name: str = "double", text: str = SUMS, **flags) -> Request:
    flags = {"interpreter": str(bare_python()), "strength.after_search": False, **flags}
    return Request(document=root / "sums.py", text=text, place=ByName(name), flags=flags)


def script(root: Path, *replies: dict[str, object]) -> dict[str, object]:
    """Settings that make the generator read these replies."""
    (root / "script.json").write_text(json.dumps(replies))
    return {"search": {"generator": "scripted"}, "scripted": {"path": str(root / "script.json")}}


RIGHT = {"source": SUMS[SUMS.index("def double") : SUMS.index("\n\n\ndef other")].replace("n * 3", "n * 2")}
NEVER = {"source": "def double(n): return n", "delaySeconds": 3600}


async def ended(live: LiveSearch) -> SearchStopped:
    with anyio.fail_after(500):
        await live.run.stopped.wait()
    assert live.state.stopped is not None
    return live.state.stopped


async def test_subscribers_hear_events_until_they_leave(root):
    async with client() as (searches, told):
        noticed, brief = [], []
        leave = searches.subscribe(lambda _, event: brief.append(event), noticed.append)
        live = searches.start(request(root, **script(root, RIGHT)))
        assert noticed == [live]
        leave()
        late = []
        searches.subscribe(lambda _, event: late.append(event))
        await ended(live)
    assert brief == []
    assert told == late == list(live.history.since(0))
    assert live.history.last == told[-1].seq


@pytest.mark.slow
async def test_bugs_of_subscribers_are_contained(root, caplog):
    """A subscriber with a bug ends no search and deafens nobody.

    A notice comes at the edge of a search, where an exception would end the daemon.
    """

    def stumble(live: LiveSearch, event: Event) -> None:
        raise ZeroDivisionError("in whoever hears")

    def trip(live: LiveSearch) -> None:
        raise ZeroDivisionError("in whoever is noticed")

    async with client() as (searches, told):
        searches.subscribe(stumble, trip)
        late, noticed = [], []
        searches.subscribe(lambda _, event: late.append(event), noticed.append)
        live = searches.start(request(root, **script(root, RIGHT)))
        assert (await ended(live)).outcome is Outcome.SOLVED
        assert list(searches) == [live]
    assert told == late == list(live.history.since(0))
    assert caplog.text.count("ZeroDivisionError: in whoever hears") == len(told)
    assert caplog.text.count("ZeroDivisionError: in whoever is noticed") == len(noticed) > 1


async def test_a_subscriber_that_left_hears_nothing():
    """Also of the event at which another one makes it leave."""
    subscribers, late = Subscribers(), []
    subscribers.add(lambda *_: leave(), lambda _: None, late.append)
    leave = subscribers.add(lambda _, event: late.append(event), lambda _: None, late.append)
    subscribers.hear(live_search(), every_event()[0])
    assert late == []


async def test_unresolvable_request_is_refused_early(root):
    """A request that cannot be resolved is refused before anything runs."""
    async with client() as (searches, told):
        with pytest.raises(TargetNotFound, match="treble"):
            searches.start(request(root, name="treble"))
        with pytest.raises(BadSetting, match="no generator 'oracle'"):
            searches.start(request(root, search={"generator": "oracle"}))
        with pytest.raises(BadRequest, match=r"sums\.py:1"):
            searches.start(request(root, text="def double(:\n"))
        assert told == []
        assert list(searches) == []


async def test_broken_world_ends_with_its_sentence(root):
    async with client() as (searches, _):
        last = await ended(searches.start(request(root, interpreter="/nowhere/python")))
    assert last.outcome is Outcome.WORLD_BROKEN
    assert "/nowhere/python" in last.reason


async def test_late_refusals_are_refusals(root):
    """A request that cannot be met is refused, however late that shows."""
    settings = script(root, RIGHT)
    (root / "script.json").write_text('{"no": "list"}')
    async with client() as (searches, _):
        last = await ended(searches.start(request(root, **settings)))
    assert last.outcome is Outcome.REFUSED
    assert "script.json" in last.reason


async def test_bug_ends_only_its_search(root, monkeypatch, caplog):
    async with client() as (searches, _):
        with monkeypatch.context() as patched:
            patched.setattr("certo.sessions.runner.assemble", lambda *_, **__: 1 / 0)
            last = await ended(searches.start(request(root)))
        assert last.outcome is Outcome.BROKEN
        assert "ZeroDivisionError" in last.reason
        assert "ZeroDivisionError" in caplog.text
        assert (await ended(searches.start(request(root, **script(root, RIGHT))))).outcome is Outcome.SOLVED


class Breaks:
    """Fails its first candidate; for the second the world is broken."""

    name = "tests"

    def __init__(self) -> None:
        self._left = 1

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        self._left -= 1
        if self._left < 0:
            raise NoInterpreter("it is gone")
        return Verdict(verifier=self.name, ruling=Ruling.FAILED)


async def test_candidates_before_a_breakage_are_counted(root, monkeypatch):

    def breaking(*args: Any, **parts: Any) -> Parts:
        return replace(assemble(*args, **parts), pipeline=Pipeline(verifiers=(Breaks(),)))

    monkeypatch.setattr("certo.sessions.runner.assemble", breaking)
    async with client() as (searches, _):
        last = await ended(searches.start(request(root, **script(root, RIGHT, {"source": "def double(n): ..."}))))
    assert (last.outcome, last.reason) == (Outcome.WORLD_BROKEN, "it is gone")
    assert last.spent.candidates == 1


async def test_cancelling_returns_when_every_process_is_dead(root):
    async with client() as (searches, _):
        live = searches.start(request(root, tests={"seconds": 50}))
        while not process_table.descendants(os.getpid()):
            await anyio.lowlevel.checkpoint()
        await searches.cancel(live)
        assert process_table.descendants(os.getpid()) == []
    assert (await ended(live)).outcome is Outcome.CANCELLED


async def test_preparing_is_paid_from_the_same_seconds(root):
    write_project(
        root, {"test_sums.py": "import time\n" + TESTS.replace("    assert", "    time.sleep(600)\n    assert")}
    )
    async with client() as (searches, _):
        live = searches.start(request(root, search={"seconds": 1.0}))
        last = await ended(live)
        assert live.run.resources.left() == ()
    assert process_table.descendants(os.getpid()) == []
    assert last.outcome is Outcome.BUDGET_SPENT
    assert "search.seconds" in last.reason


async def test_forgotten_search_is_gone(root):
    async with client() as (searches, _):
        live = searches.start(request(root, **script(root, NEVER)))
        assert searches.get(live.id) is live
        searches.forget(live)
        with pytest.raises(SearchNotFound, match=live.id):
            searches.get(live.id)
        assert (await ended(live)).outcome is Outcome.CANCELLED


NICE = "import os\n\nfrom sums import double\n\n\ndef test_double():\n    assert (double(5), os.nice(0)) == (10, 15)\n"


async def test_background_search_steps_back(root):
    """Its first run does already; so that nothing waits for a busy machine, it is cancelled then."""
    (root / "test_sums.py").write_text(NICE)
    async with client() as (searches, told):
        begun = anyio.Event()
        searches.subscribe(lambda _, event: begun.set() if isinstance(event, SearchStarted) else None)
        live = searches.start(replace(request(root, **script(root, NEVER)), background=True))
        with anyio.fail_after(500):
            await begun.wait()
        await searches.cancel(live)
    [started] = [event for event in told if isinstance(event, SearchStarted)]
    assert any(test.message.startswith("assert (15, 15) == (10, 15)") for test in started.baseline.failing)


@pytest.mark.slow
async def test_only_background_search_steps_back(root):
    """A search in the background steps back and what is accepted does not."""
    (root / "test_sums.py").write_text(NICE)
    async with client() as (searches, _):
        live = searches.start(replace(request(root, **script(root, RIGHT)), background=True))
        assert (await ended(live)).outcome is Outcome.SOLVED
        with pytest.raises(StaleText, match=r"assert \(10, 0\) == \(10, 15\)"):
            await prepare_acceptance(live, None, "# A line more.\n" + SUMS)


async def test_generator_prepares_while_tests_run(root, monkeypatch):
    """A generator that can prepare does so while the tests run."""
    prepared: list[tuple[ProblemPreview, bool]] = []
    async with client() as (searches, told):

        async def stand_by(_self: BuiltinGenerator, preview: ProblemPreview, /) -> None:
            prepared.append((preview, any(isinstance(event, SearchStarted) for event in told)))

        monkeypatch.setattr(BuiltinGenerator, "stand_by", stand_by)
        beside = root / "beside.py"
        await ended(searches.start(replace(request(root), unsaved={beside: "ONE = 1\n"})))
    [(preview, is_late)] = prepared
    assert (preview.root, preview.path, preview.text) == (root, "sums.py", SUMS)
    assert (preview.target.name, preview.unsaved, is_late) == ("double", {"beside.py": "ONE = 1\n"}, False)
