"""Live searches of hand-made events, for tests of their display."""

from __future__ import annotations

from pathlib import Path

from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.settings.schema import Settings
from certo.vocabulary.outcome import Outcome
from support.search.candidates import problem
from support.search.events import board_of, told


def live_search(
    outcome: Outcome = Outcome.SOLVED, *, touched: bool = True, cold: str = "", events: int | None = None
) -> LiveSearch:
    """Return an ended search for `half` that knows the first `events` of a hand-made search, or all of them."""
    request = Request(document=Path("/project/half.py"), text="", place=ByName("half"))
    aim = ResolvedRequest(
        request=request, root=Path("/project"), path="half.py", target=problem().target, settings=Settings()
    )
    known = told(outcome=outcome, touched=touched, cold=cold)[:events]
    search = LiveSearch(id="5eac", aim=aim, board=board_of(known))
    if events is None:
        search.stopped.set()
    return search
