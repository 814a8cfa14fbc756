"""Going on with a search where it was, and the sentences for when that cannot be."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.sandbox.process.process_table import start_of
from certo.sessions.assembly.models import NO_CLIENT_SERVICES
from certo.sessions.live import LiveSearch
from certo.sessions.restore import restore_searches
from certo.sessions.resume import require_resumable, resume, resume_search
from certo.sessions.searches import Searches
from certo.storage.process_identity import own_life
from certo.storage.search_record import StoredSearch
from certo.vocabulary.errors import NotResumable
from certo.vocabulary.events import Event, SearchResumed
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.outcome import Outcome
from support.search.journalled_searches import (
    NEVER,
    RIGHT,
    WRONG,
    bury,
    change,
    dead_life,
    ended,
    interrupt,
    journal_of,
    process,
    request,
    sums,
)
from support.search.journalled_searches import kept as kept_lines

pytestmark = [pytest.mark.acceptance(69), pytest.mark.usefixtures("kept_processes")]

SUM = {"source": "def double(n):\n    return n + n"}
PATIENT = {"search.seconds": 600}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests, which leave it as it is."""
    return sums(tmp_path_factory.mktemp("project"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


def kept(folder: Path, root: Path) -> StoredSearch:
    return kept_lines(folder, root)[0]


def cut_after(folder: Path, root: Path, kind: str) -> None:
    """Let the process have died right after the first event of a kind."""
    bury(folder, root)
    change(
        folder,
        root,
        "DELETE FROM event WHERE seq > (SELECT MIN(seq) FROM event WHERE line LIKE ?)",
        f'%"type":"{kind}"%',
    )
    change(folder, root, "UPDATE search SET outcome = ''")


async def made(folder: Path, root: Path, *replies: dict[str, object], **flags: object) -> LiveSearch:
    """A search that has ended in a process before this one."""
    async with process(folder) as searches:
        live = searches.start(request(root, *replies, **{**PATIENT, **flags}))
        await ended(live)
    return live


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.type for event in events]


async def test_resumed_search_judges_only_the_rest(root: Path, folder: Path) -> None:
    """Judged candidates are told once, and the rest of the search is done."""
    whole = await made(folder, root, WRONG, RIGHT)
    cut_after(folder, root, "budget")
    async with process(folder) as searches:
        live = await resume_search(searches, kept(folder, root), {})
        assert live.running
        await ended(live)
        events = live.history.since(0)
    assert live.id == whole.id
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.candidates for event in events if isinstance(event, SearchResumed)] == [1]
    assert kinds(events).count("candidate.proposed") == kinds(events).count("candidate.scored") == 2
    assert [row.candidate_id for row in live.state.ranked()] == [row.candidate_id for row in whole.state.ranked()]
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED
    assert live.state.stopped.spent.candidates == 2
    assert len(kept_lines(folder, root)[1]) == len(events)
    assert (kept(folder, root).outcome, kept(folder, root).standing) == ("solved", "open")


async def test_changed_project_is_judged_again(root: Path, folder: Path) -> None:
    """Judged candidates are judged again if the project has changed."""
    await made(folder, root, WRONG, RIGHT)
    cut_after(folder, root, "budget")
    tests = root / "test_sums.py"
    before = tests.read_text()
    tests.write_text("from sums import double\n\n\ndef test_other():\n    assert double(4) == 8\n")
    async with process(folder) as searches:
        live = await resume_search(searches, kept(folder, root), {})
        await ended(live)
    tests.write_text(before)
    assert kinds(live.history.since(0)).count("candidate.proposed") == 3
    assert [row.number for row in live.state.rows.values()] == [1, 2]
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED


async def test_what_was_rejected_meanwhile_does_not_win(root: Path, folder: Path) -> None:
    """A candidate that passed is judged again where its user has rejected it since, and the search goes on."""
    async with process(folder) as searches:
        alone = {"search.strategy": "retry", "retry.num_candidates": 1}
        first = searches.start(request(root, RIGHT, SUM, **PATIENT, **alone))
        await ended(first)
        [passed] = first.state.rows
        await searches.keep(first, Feedback(candidate_id=passed, ruling="rejected", note="no product"))
    cut_after(folder, root, "budget")
    async with process(folder) as searches:
        live = await resume_search(searches, kept(folder, root), {})
        await ended(live)
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED
    [winner] = live.state.ranked()
    assert "return n + n" in live.text_with(winner)
    assert live.state.rows[passed].report.failure is not None


async def test_restored_search_is_resumed(root: Path, folder: Path) -> None:
    """A search that a daemon has restored goes on after its end."""
    await made(folder, root, WRONG, RIGHT)
    interrupt(folder, root)
    async with process(folder) as searches:
        await restore_searches(searches, root / "sums.py", (root,))
        [live] = searches
        assert live.state.stopped is not None
        resume(searches, live, live.resolved, NO_CLIENT_SERVICES)
        assert live.running
        await ended(live)
        with pytest.raises(NotResumable, match="ended by itself"):
            resume(searches, live, live.resolved, NO_CLIENT_SERVICES)
    assert kinds(live.history.since(0)).count("search.stopped") == 2
    assert live.state.stopped.outcome is Outcome.SOLVED


async def test_cancelled_search_is_resumed_in_process(root: Path, folder: Path) -> None:
    """A search that was cancelled goes on in the same process."""
    async with process(folder) as searches:
        live = searches.start(request(root, WRONG, NEVER, **PATIENT))
        while not live.state.rows or not next(iter(live.state.rows.values())).scored:
            await live_news(searches)
        await searches.cancel(live)
        request(root, WRONG, RIGHT)
        resume(searches, live, live.resolved, NO_CLIENT_SERVICES)
        await ended(live)
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED
    assert kinds(live.history.since(0)).count("candidate.scored") == 2


async def live_news(searches: Searches) -> None:
    """Wait until something is told."""
    news = anyio.Event()
    leave = searches.subscribe(lambda *_: news.set())
    with anyio.fail_after(60):
        await news.wait()
    leave()


def alive() -> str:
    """A process that lives and is not this one."""
    node, boot, *_ = own_life().split("/")
    return "/".join([node, boot, str(os.getppid()), str(start_of(os.getppid()))])


async def test_refused_resumes_say_what_to_do(root: Path, folder: Path) -> None:
    """Each reason not to go on is a sentence that says what to do."""
    live = await made(folder, root, WRONG, **{"search.strategy": "retry", "retry.max_iterations": 1})
    good = replace(kept(folder, root), outcome="", life=dead_life())
    require_resumable(good, live.resolved)
    other = replace(live.resolved.settings, interpreter="/other/python")
    for bad, aim, said in (
        (replace(good, outcome="attempts-spent"), live.resolved, "ended by itself (attempts-spent)"),
        (replace(good, standing="dismissed"), live.resolved, "is dismissed"),
        (
            replace(good, asked=replace(good.asked, settings=None)),
            live.resolved,
            "by a version of certo that did not keep",
        ),
        (good, replace(live.resolved, settings=other), "interpreter was '"),
        (replace(good, life=alive()), live.resolved, f"belongs to process {os.getppid()}, which is running"),
    ):
        with pytest.raises(NotResumable) as refused:
            require_resumable(bad, aim)
        assert said in str(refused.value)
        assert good.id in str(refused.value)


async def test_resume_needs_time_left(root: Path, folder: Path) -> None:
    await made(folder, root, WRONG, RIGHT)
    cut_after(folder, root, "budget")
    change(folder, root, "UPDATE event SET line = replace(line, '\"at\":', '\"at\":7')")
    async with process(folder) as searches:
        with pytest.raises(NotResumable, match=r"search\.seconds = 0\.5; allow it more, as with --timeout"):
            await resume_search(searches, kept(folder, root), {"search.seconds": 0.5})
    with closing(journal_of(folder, root)) as journal:
        assert journal.searches()[0].life == dead_life(), "it was claimed"
