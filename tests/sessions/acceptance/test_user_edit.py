"""What a user makes of a candidate is judged, told and kept like what a generator made, also after the search's end."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.acceptance.user_edit import edited, mixed
from certo.sessions.live import LiveSearch
from certo.sessions.restore import restore_searches
from certo.sessions.searches import Searches
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.events import BestImproved, CandidateProposed, CandidateRanked, CandidateScored, SearchStopped
from certo.vocabulary.guidance import Feedback
from support.search.journalled_searches import NEVER, RIGHT, SUMS, WRONG, bury, ended, kept, process, request, sums

pytestmark = pytest.mark.usefixtures("kept_processes")

LONG: dict[str, object] = {"source": "def double(n):\n    twice = n + n\n    return twice"}
SHORT = SUMS.replace("n * 3", "n * 2")
RED = SUMS.replace("n * 3", "n * 5")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests, which leave it as it is."""
    return sums(tmp_path_factory.mktemp("project"))


async def searched(searches: Searches, root: Path, *replies: dict[str, object]) -> LiveSearch:
    """A search that has ended with a candidate."""
    live = searches.start(request(root, *replies, **{"search.compact": False}))
    await ended(live)
    assert live.state.best_row is not None, live.state.stopped
    return live


async def test_edited_candidate_is_told_after_the_end(root: Path, tmp_path: Path) -> None:
    """It is a candidate of its own, whose events follow the end of its search."""
    async with process(tmp_path / "journals") as searches:
        live = await searched(searches, root, LONG)
        first, before = live.state.best_row, live.history.last
        assert first is not None
        row = await edited(live, first, SHORT)
        assert (row.number, row.passed, row.verified) == (2, True, True)
        assert (row.origin.generator, row.origin.note) == ("user", "edited from #1")
        assert live.state.best == row.candidate_id, "it changes less, and is no better"
        await searches.keep(live, Feedback(candidate_id=first.candidate_id, ruling="edited"))
        told = live.history.since(before)
        assert [each.seq for each in told] == [*range(before + 1, live.history.last + 1)]
        # The strength of the tests is measured beside, sooner or later, and the evidence may then have another level.
        beside = ("VerdictReached", "StrengthProgressed", "StrengthMeasured", "EvidenceGraded")
        assert "EvidenceGraded" in [type(each).__name__ for each in told]
        kinds = [type(each) for each in told if type(each).__name__ not in beside]
        assert kinds == [CandidateProposed, CandidateScored, CandidateRanked, BestImproved]
        proposed = next(each for each in told if isinstance(each, CandidateProposed))
        assert proposed.parent == first.candidate_id
        assert live.history.ended
        ready = await prepare_acceptance(live, row.candidate_id, SUMS)
        assert (ready.after, ready.report.verified) == (SHORT, True)


@pytest.mark.slow
async def test_failed_edit_is_kept_not_accepted(root: Path, tmp_path: Path) -> None:
    """An edit that does not pass is kept with its report, and cannot be accepted."""
    async with process(tmp_path / "journals") as searches:
        live = await searched(searches, root, RIGHT)
        best = live.state.best_row
        assert best is not None
        red = await edited(live, best, RED)
        assert [red.passed, *(verdict.verifier for verdict in red.report.objecting)] == [False, "tests"]
        renamed = await edited(live, best, SHORT.replace("def double(n)", "def double(m=1, n=2)"))
        assert [renamed.passed, *(verdict.verifier for verdict in renamed.report.objecting)] == [False, "signature"]
        assert live.state.best == best.candidate_id


async def test_known_edits_and_foreign_edits(root: Path, tmp_path: Path) -> None:
    """A known candidate is not judged again, and an edit beyond the function is refused."""
    async with process(tmp_path / "journals") as searches:
        live = await searched(searches, root, RIGHT)
        best, before = live.state.best_row, live.history.last
        assert best is not None
        assert await edited(live, best, SHORT) is best
        with pytest.raises(BadRequest, match="only double is verified here"):
            await edited(live, best, SHORT.replace("return n\n", "return n / 2\n"))
        with pytest.raises(BadRequest, match="there is nothing to verify"):
            await edited(live, best, SUMS)
        assert (live.history.last, len(live.state.rows)) == (before, 1)


async def test_mixed_hunks_are_judged_together(root: Path, tmp_path: Path) -> None:
    """Hunks of two candidates are a candidate of their own, unless they cannot be put together."""
    async with process(tmp_path / "journals") as searches:
        live = await searched(searches, root, RIGHT)
        best = live.state.best_row
        assert best is not None
        red = await edited(live, best, SUMS.replace("n * 3", "n * 3\n    del n"))
        other = await edited(live, best, RED)
        assert (red.passed, other.passed) == (False, False)
        before = live.history.last
        with pytest.raises(BadSetting, match="change line 2 in different ways"):
            await mixed(live, [(best, (1,)), (other, (1,))])
        with pytest.raises(BadSetting, match="no hunk 2"):
            await mixed(live, [(best, (1, 2))])
        assert await mixed(live, [(best, (1,))]) is best, "all of one candidate is that candidate"
        assert live.history.last == before
        row = await mixed(live, [(best, (1,)), (red, (1,))])
        assert (row.number, row.passed, row.verified, row.origin.note) == (4, True, True, "hunks of #1 and #2")
        assert live.text_with(row) == SUMS.replace("n * 3", "n * 2\n    del n")


async def test_edit_during_search_may_win(root: Path, tmp_path: Path) -> None:
    """While the search runs it is ranked with the others and may win."""
    async with process(tmp_path / "journals") as searches:
        scored = anyio.Event()
        searches.subscribe(lambda _, event: scored.set() if isinstance(event, CandidateScored) else None)
        live = searches.start(request(root, WRONG, NEVER, **{"search.compact": False}))
        with anyio.fail_after(500):
            await scored.wait()
        [wrong] = live.state.rows.values()
        row = await edited(live, wrong, SHORT)
        assert live.running
        assert live.state.best == row.candidate_id
        await searches.cancel(live)
        last = live.history.since(0)[-1]
        assert isinstance(last, SearchStopped)
        assert last.winner is not None
        assert last.winner.candidate_id == row.candidate_id


@pytest.mark.slow
async def test_edit_survives_a_restart(root: Path, tmp_path: Path) -> None:
    """After a restart it is there and another can be made."""
    folder = tmp_path / "journals"
    async with process(folder) as searches:
        live = await searched(searches, root, LONG)
        first = live.state.best_row
        assert first is not None
        await edited(live, first, SHORT)
    bury(folder, root)
    async with process(folder) as searches:
        await restore_searches(searches, root / "sums.py", (root,))
        [again] = searches
        assert {row.candidate_id: row.passed for row in again.state.rows.values()} == {
            row.candidate_id: row.passed for row in live.state.rows.values()
        }
        last = again.history.last
        red = await edited(again, again.row(first.candidate_id), RED)
        assert (red.number, red.passed) == (3, False)
    _, lines = kept(folder, root)
    assert len(lines) > last
