"""A candidate is ready for the text as it is now, or is refused, whatever has happened to the text since its search."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByLine, ByName
from certo.sandbox.process.process_table import descendants
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.errors import CandidateNotFound, StaleText
from certo.vocabulary.events import Event
from certo.vocabulary.outcome import Outcome
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project
from support.projects.sums import SUMS, TESTS

pytestmark = pytest.mark.usefixtures("one_event_loop")

RIGHT = SUMS[SUMS.index("def double") : SUMS.index("\n\n\ndef other")].replace("n * 3", "n * 2")


@asynccontextmanager
async def searched(
    root: Path, files: Mapping[str, str], place: ByLine | ByName, source: str
) -> AsyncIterator[tuple[LiveSearch, list[Event]]]:
    """A search that has ended with one candidate, and what was told of it."""
    write_project(root, {**files, "pyproject.toml": "[tool.pytest.ini_options]\n"})
    (root / "script.json").write_text(json.dumps([{"source": source}]))
    flags = {
        "interpreter": str(bare_python()),
        "search.generator": "scripted",
        "scripted.path": str(root / "script.json"),
        "strength.after_search": False,
    }
    told: list[Event] = []
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        searches.subscribe(lambda _, event: told.append(event))
        live = searches.start(Request(document=root / "sums.py", text=files["sums.py"], place=place, flags=flags))
        with anyio.fail_after(500):
            await live.run.stopped.wait()
        yield live, told
        group.cancel_scope.cancel()


@pytest.fixture(scope="module")
async def found(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[LiveSearch, list[Event]]]:
    """A search whose candidate is right; nothing of it is accepted, so that the tests can share it."""
    files = {"sums.py": SUMS, "test_sums.py": TESTS}
    async with searched(tmp_path_factory.mktemp("sums"), files, ByName("double"), RIGHT) as both:
        yield both


async def test_search_finds_a_verified_winner(found):
    live, told = found
    last = live.state.stopped
    assert last.outcome is Outcome.SOLVED, last.reason
    assert last.verified
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    assert live.document.read_text() == SUMS


async def test_candidate_is_ready_on_unchanged_text(found):
    """A candidate is ready as it is on the text it was verified on."""
    ready = await prepare_acceptance(found[0], None, SUMS)
    assert not ready.moved
    assert ready.after == SUMS.replace("n * 3", "n * 2")


async def test_change_elsewhere_moves_and_rejudges(found):
    """A change elsewhere moves the candidate and everything is judged again."""
    now = SUMS.replace('"""Sums."""', '"""Sums, and\nmore of them."""').replace("return 1", "return 2")
    ready = await prepare_acceptance(found[0], None, now)
    assert ready.moved
    assert ready.report.verified
    assert ready.after == now.replace("n * 3", "n * 2")


async def test_breaking_change_elsewhere_is_refused(found):
    now = SUMS.replace("return 1", "return 1\n\n\ndouble = other")
    with pytest.raises(StaleText, match=r"sums\.py has changed, and candidate #1 now"):
        await prepare_acceptance(found[0], None, now)


async def test_unexercised_candidate_is_refused(found):
    now = SUMS.replace("return 1", "return 1\n\n\ndouble = lambda n: n + n")
    with pytest.raises(StaleText, match="has no test that executes a changed line"):
        await prepare_acceptance(found[0], None, now)


@pytest.mark.slow
async def test_moved_property_is_not_its_setter(tmp_path):
    """A property is not taken for its setter when it has moved."""
    till = "class Till:\n    @property\n    def n(self):\n        return 3\n\n"
    till += "    @n.setter\n    def n(self, value):\n        pass\n"
    tests = "from sums import Till\n\n\ndef test_n():\n    assert Till().n == 4\n"
    files = {"sums.py": till, "test_sums.py": tests}
    async with searched(tmp_path, files, ByLine(4), "@property\ndef n(self):\n    return 4") as (live, _):
        ready = await prepare_acceptance(live, None, f"import re\n{till}")
    assert ready.after == "import re\n" + till.replace("return 3", "return 4")


@pytest.mark.slow
async def test_accepting_leaves_no_process_behind(tmp_path, monkeypatch):
    """Those that the search has left may have ended by then, and what is prepared anew ends with the judgement."""
    monkeypatch.setattr("certo.verification.dynamic.warm_pool.MAX_IDLE_SECONDS", 0.0)
    others = {process.pid for process in descendants(os.getpid())}
    files = {"sums.py": SUMS, "test_sums.py": TESTS}
    async with searched(tmp_path, files, ByName("double"), RIGHT) as (live, _):
        with anyio.fail_after(240):
            while {process.pid for process in descendants(os.getpid())} - others:  # noqa: ASYNC110 - no event tells it
                await anyio.sleep(0.05)
        ready = await prepare_acceptance(live, None, SUMS.replace("return 1", "return 2"))
        assert ready.report.verified
        assert {process.pid for process in descendants(os.getpid())} <= others


async def test_failed_candidate_is_not_accepted(tmp_path):
    files = {"sums.py": SUMS, "test_sums.py": TESTS}
    async with searched(tmp_path, files, ByName("double"), RIGHT.replace("n * 2", "n * 7")) as (live, _):
        assert live.state.stopped.winner is None
        (row,) = live.state.rows.values()
        with pytest.raises(CandidateNotFound, match="#1 did not pass"):
            await prepare_acceptance(live, row.candidate_id, SUMS)
        with pytest.raises(CandidateNotFound, match=r"no candidate of search .* has passed"):
            await prepare_acceptance(live, None, SUMS)
