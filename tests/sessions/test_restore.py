"""What dead processes left is offered again, once, and judged again before it is accepted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.live import LiveSearch
from certo.sessions.restore import restore_searches
from certo.sessions.retry import Said, guided
from certo.sessions.searches import Searches
from certo.storage.process_identity import own_life
from certo.vocabulary.errors import StaleText
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.outcome import Outcome
from support.projects.pending_candidates import best_applied
from support.search.events import told
from support.search.journalled_searches import (
    NEVER,
    RIGHT,
    SUMS,
    WRONG,
    bury,
    change,
    ended,
    every_kept,
    interrupt,
    journal_of,
    kept,
    leave,
    process,
    request,
    sums,
)

pytestmark = pytest.mark.usefixtures("kept_processes")

FIXED = SUMS.replace("n * 3", "n * 2")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests, which they leave as it is."""
    return sums(tmp_path_factory.mktemp("project"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journals"


_found: dict[str, tuple[Path, LiveSearch]] = {}
"""Searches that have ended, by their replies, each with its journals."""


async def earlier(folder: Path, root: Path, *replies: dict[str, object]) -> LiveSearch:
    """A search as it ended in a process before this one; its journals are copied into a folder."""
    key = str(replies)
    if key not in _found:
        kept_in = root.parent / f"journals-{len(_found)}"
        async with process(kept_in) as searches:
            live = searches.start(request(root, *replies))
            await ended(live)
        _found[key] = kept_in, live
    kept_in, live = _found[key]
    shutil.copytree(kept_in, folder)
    return live


async def recalled(searches: Searches, root: Path) -> tuple[LiveSearch, ...]:
    """What is here once a document of the project has been opened."""
    await restore_searches(searches, root / "sums.py", (root,))
    return tuple(searches)


async def test_unaccepted_search_is_offered_again(root, folder):
    before = await earlier(folder, root, WRONG, RIGHT)
    bury(folder, root)
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        assert (live.id, live.document) == (before.id, before.document)
        assert live.resolved.target == before.resolved.target
        assert live.state.ranked() == before.state.ranked()
        assert live.history.since(0)[-1] == before.history.since(0)[-1]
        assert not live.running
        assert live.resolved.request.flags == before.resolved.request.flags
        assert await recalled(searches, root) == (live,), "it is offered twice"
        assert await recalled(searches, root / "elsewhere") == (live,)
    assert kept(folder, root)[0].life == own_life()


async def test_restored_candidate_is_judged_before_acceptance(root, folder):
    before = await earlier(folder, root, WRONG, RIGHT)
    bury(folder, root)
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        ready = await prepare_acceptance(live, None, SUMS)
        assert (ready.before, ready.after) == (SUMS, FIXED)
        assert ready.report.verified
        assert ready.report is not before.state.best_row.report
        below = SUMS.replace("return n\n", "return n / 2\n")
        assert (await prepare_acceptance(live, None, below)).after == below.replace("n * 3", "n * 2")
        searches.settle(live, best_applied(live))
    assert kept(folder, root)[0].standing == "accepted"


@pytest.mark.slow
async def test_restored_candidate_that_fails_is_refused(root, folder):
    """A candidate that passed then and would not now is refused."""
    await earlier(folder, root, RIGHT)
    bury(folder, root)
    tests = root / "test_sums.py"
    before = tests.read_text()
    tests.write_text(before.replace("10", "11"))
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        with pytest.raises(StaleText, match="by an earlier process, and now fails test_double"):
            await prepare_acceptance(live, None, SUMS)
    tests.write_text(before)


async def test_feedback_is_restored_until_forgotten(root, folder):
    """Feedback on candidates is known after a restart, until the search is forgotten."""
    async with process(folder) as searches:
        live = searches.start(request(root, WRONG, RIGHT))
        await ended(live)
        wrong, right = live.state.rows
        opinions = [
            Feedback(candidate_id=wrong, ruling="rejected", note="too much é🍎"),
            Feedback(candidate_id=right, ruling="edited"),
            Feedback(candidate_id=right, ruling="rejected", note="no products"),
        ]
        for each in opinions:
            await searches.keep(live, each)
        assert [*said(folder, root, live)] == opinions, "it is answered before it is written"
    bury(folder, root)
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        assert live.acceptance.feedback == opinions
        guidance = guided(live, request(root, RIGHT), Said()).guidance
        assert [(each.candidate.id, each.feedback, each.rejected) for each in guidance.remarks] == [
            (wrong, "too much é🍎", True),
            (right, "no products", True),
        ]
        searches.erase(live)
        await searches.keep(live, opinions[0])
        assert [*said(folder, root, live)] == []


def said(folder: Path, root: Path, live: LiveSearch) -> Iterator[Feedback]:
    """What another process reads of what was said."""
    with closing(journal_of(folder, root)) as journal:
        yield from journal.opinions(live.id)


async def test_search_of_dead_process_is_interrupted(root, folder):
    """A search whose process died was interrupted and what it had found counts."""
    before = await earlier(folder, root, RIGHT)
    interrupt(folder, root)
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        last = live.state.stopped
        assert last is not None
        assert (last.outcome, last.verified) == (Outcome.INTERRUPTED, True)
        assert last.winner == before.state.stopped.winner
        assert last.seq == before.history.last
        assert (await prepare_acceptance(live, None, SUMS)).after == FIXED
    search, lines = kept(folder, root)
    assert (search.outcome, search.standing) == ("interrupted", "open")
    assert '"outcome":"interrupted"' in lines[-1]


@pytest.mark.slow
async def test_restored_search_without_candidate_is_retried(root, folder):
    await earlier(folder, root, WRONG)
    interrupt(folder, root)
    async with process(folder) as searches:
        [live] = await recalled(searches, root)
        assert live.state.ranked() == ()
        again = searches.start(request(root, RIGHT))
        await ended(again)
        assert again.state.best_row.verified


async def test_of_one_function_it_is_the_newest(root, folder):
    for search in ("aaaa", "cccc", "bbbb"):
        leave(folder, root, search)
    bury(folder, root)
    async with process(folder) as searches:
        assert [live.id for live in await recalled(searches, root)] == ["bbbb"]


async def test_restored_searches_keep_their_order(root, folder):
    """Those of several functions come in the order in which they began."""
    for search, qualname in (("cccc", "half"), ("bbbb", "double"), ("aaaa", "half")):
        leave(folder, root, search, qualname=qualname)
    bury(folder, root)
    async with process(folder) as searches:
        assert [live.id for live in await recalled(searches, root)] == ["bbbb", "aaaa"]


async def test_present_search_is_preferred_to_older(root, folder):
    """One that is here already is not joined by an older one."""
    leave(folder, root)
    bury(folder, root)
    async with process(folder) as searches:
        here = searches.start(request(root, NEVER))
        assert await recalled(searches, root) == (here,)


@pytest.mark.parametrize(
    "what",
    [
        "UPDATE search SET standing = 'accepted'",
        "UPDATE search SET standing = 'dismissed'",
        "UPDATE search SET began = began - 90000",
        "UPDATE event SET line = '{}'",
        "DELETE FROM event WHERE line LIKE '%candidate.proposed%'",
        "UPDATE search SET asked = replace(asked, 'sums.py', '../sums.py')",
        "UPDATE search SET asked = replace(asked, '\"double\"', '\"treble\"')",
    ],
)
async def test_finished_or_unreadable_searches_stay_away(root, folder, what):
    """A search that is over for its user, or cannot be read, is not offered."""
    leave(folder, root)
    bury(folder, root)
    change(folder, root, what)
    async with process(folder) as searches:
        assert await recalled(searches, root) == ()


async def test_living_process_keeps_its_search(root, folder):
    """The search of a living process is not taken from it."""
    leave(folder, root)
    before = every_kept(folder, root)
    async with process(folder) as searches:
        assert await recalled(searches, root) == ()
    assert every_kept(folder, root) == before


@pytest.mark.parametrize(
    ("outcome", "standing", "offered"),
    [
        (Outcome.REFUSED, "open", False),
        (Outcome.NOTHING_TO_FIX, "open", False),
        (Outcome.EXHAUSTED, "open", True),
        (Outcome.CANCELLED, "open", True),
        (Outcome.CANCELLED, "ended", False),
        (Outcome.SOLVED, "ended", True),
    ],
)
async def test_unfinished_outcomes_are_offered_again(root, folder, outcome, standing, offered):
    """A search that found nothing is offered if it may find something yet."""
    leave(folder, root, events=told(outcome=outcome))
    bury(folder, root)
    change(folder, root, "UPDATE search SET standing = ?", standing)
    async with process(folder) as searches:
        assert len(await recalled(searches, root)) == offered


async def test_restoring_makes_no_journal(root, folder):
    async with process(folder) as searches:
        assert await recalled(searches, root) == ()
    assert every_kept(folder, root) == ()
