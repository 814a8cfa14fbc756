"""What happens in searches is in the journal before anybody hears of it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import resolve_request
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.requests import asked_again, asked_of
from certo.sessions.searches import Searches
from certo.storage.location import journal_file
from certo.storage.search_record import SearchRecord
from certo.storage.serialization import line_of
from certo.vocabulary.cost import Spent
from certo.vocabulary.errors import SearchNotFound
from certo.vocabulary.events import Event, SearchStopped
from support.projects.pending_candidates import best_applied
from support.search.journalled_searches import (
    NEVER,
    RIGHT,
    SUMS,
    ended,
    every_kept,
    journal_of,
    kept,
    process,
    request,
    sums,
)

pytestmark = pytest.mark.usefixtures("kept_processes")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests, which leave it as it is."""
    return sums(tmp_path_factory.mktemp("project"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


async def judging(live: LiveSearch, searches: Searches) -> None:
    """Wait for the first event."""
    heard = anyio.Event()
    leave = searches.subscribe(lambda *_: heard.set())
    with anyio.fail_after(60):
        await heard.wait()
    leave()


async def test_events_are_written_before_being_heard(root, folder):
    heard: list[Event] = []

    def hear(live: LiveSearch, event: Event) -> None:
        assert line_of(event) in kept(folder, root)[1]
        heard.append(event)

    async with process(folder) as searches:
        searches.subscribe(hear)
        live = searches.start(request(root, RIGHT))
        await ended(live)
    search, lines = kept(folder, root)
    assert lines == tuple(map(line_of, heard))
    assert isinstance(heard[-1], SearchStopped)
    assert (search.id, search.outcome, search.standing) == (live.id, "solved", "open")
    asked = search.asked
    assert (asked.document, asked.path, asked.text) == (str(root / "sums.py"), "sums.py", SUMS)
    assert (asked.qualname, asked.number, asked.instruction) == ("double", 0, "please")
    assert asked.flags["search.generator"] == "scripted"


def test_the_other_suspects_are_asked_for_again(root: Path) -> None:
    (root / "more.py").write_text("def triple(n):\n    return n\n")
    gone, more = root / "gone.py", root / "more.py"
    others = tuple(replace(request(root, RIGHT), document=each, place=ByName("triple", 0)) for each in (gone, more))
    asked = replace(request(root, RIGHT), then=others, spent_before=Spent(candidates=3, seconds=7.5))
    kept = SearchRecord.from_json(asked_of(resolve_request(asked, {})).as_json())
    again = asked_again(kept, root, (), None)
    assert again.spent_before == asked.spent_before
    (other,) = again.then
    assert (other.document, other.place, other.text) == (more, ByName("triple", 0), more.read_text()), (
        "and none is gone"
    )
    more.unlink()
    assert (other.flags, other.then) == (asked.flags, ())


def test_a_second_function_is_asked_for_again(root: Path) -> None:
    more = root / "more.py"
    more.write_text("def triple(n):\n    return n\n")
    both = replace(request(root, RIGHT), second=(more, ByName("triple", 0)))
    kept = SearchRecord.from_json(asked_of(resolve_request(replace(both, then=(both,)), {})).as_json())
    again = asked_again(kept, root, (), None)
    assert (again.second, again.then[0].second) == (both.second, both.second)
    assert resolve_request(again, {}).target.short_name == "double and triple"


async def test_disabled_journal_keeps_nothing(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, RIGHT, **{"journal.enabled": False}))
        await ended(live)
    assert live.history.last > 0
    assert not folder.exists()


async def test_standing_of_a_search_is_kept(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, RIGHT))
        await ended(live)
        searches.settle(live, best_applied(live))
        with pytest.raises(SearchNotFound, match="a candidate of it was accepted"):
            searches.get(live.id)
    assert kept(folder, root)[0].standing == "accepted"


async def test_dismissed_search_is_kept_as_dismissed(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, NEVER))
        await judging(live, searches)
        searches.forget(live)
    search, _ = kept(folder, root)
    assert (search.outcome, search.standing) == ("cancelled", "dismissed")


async def test_erased_search_leaves_nothing(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, NEVER))
        await judging(live, searches)
        searches.erase(live)
        await ended(live)
    assert every_kept(folder, root) == ()
    with closing(journal_of(folder, root)) as journal:
        assert list(journal.lines(live.id)) == []


async def test_cancelled_search_is_kept_as_ended(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, NEVER))
        await judging(live, searches)
        await searches.cancel(live)
        assert kept(folder, root)[0].outcome == "cancelled"
    assert kept(folder, root)[0].standing == "ended"


async def test_search_ended_by_shutdown_stays_open(root, folder):
    async with process(folder) as searches:
        live = searches.start(request(root, NEVER))
        await judging(live, searches)
    search, lines = kept(folder, root)
    assert (search.outcome, search.standing) == ("cancelled", "open")
    assert json.loads(lines[-1])["type"] == "search.stopped"
    assert [file.name for file in folder.iterdir()] == [journal_file(folder, root).name]


@pytest.mark.parametrize("wanted", [True, False])
async def test_prompts_are_kept_only_if_wanted(root, folder, wanted):
    """Prompts and answers are kept only if journal.prompts is set."""
    answers = root.parent / "answers.json"
    answers.write_text(json.dumps([{"text": "```python\ndef double(n):\n    return n * 2\n```"}]))
    model = {"search.generator": "model", "model.name": f"scripted:{answers}", "journal.prompts": wanted}
    async with process(folder) as searches:
        live = searches.start(request(root, **model))
        await ended(live)
        assert live.state.best_row is not None
    with closing(journal_of(folder, root)) as journal:
        asked = [json.loads(line) for line in journal.exchanges(live.id)]
        kinds = {json.loads(line)["type"] for line in journal.lines(live.id)}
    written = {"candidate.written", "candidate.drafted"}
    if not wanted:
        assert not asked
        assert not kinds & written
    else:
        assert "n * 3" in json.dumps(asked[0]["messages"])
        assert "n * 2" in asked[0]["reply"]["text"]
        assert kinds & written


async def test_journal_failure_is_said_once(root, folder):
    """A broken journal is told to every subscriber once."""
    folder.write_text("a file where the folder would be")
    said: list[str] = []
    async with process(folder) as searches:
        for _ in range(2):
            searches.subscribe(lambda *_: None, said=said.append)
        for _ in range(2):
            live = searches.start(request(root, RIGHT))
            await ended(live)
            assert live.state.best is not None
    assert len(said) == 2
    assert "cannot keep a journal" in said[0]
