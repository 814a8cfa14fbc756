"""Live searches of hand-made events, for tests of their display."""

from __future__ import annotations

from pathlib import Path

from certo.edits.target import ByName
from certo.search.emitter import EventEmitter
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch, Run
from certo.settings.schema import Settings
from certo.vocabulary.outcome import Outcome
from support.search.candidates import problem
from support.search.events import board_of, told


def live_search(
    outcome: Outcome = Outcome.SOLVED, *, touched: bool = True, cold: str = "", events: int | None = None
) -> LiveSearch:
    """Return an ended search for `half` that knows the first `events` of a hand-made search, or all of them."""
    request = Request(document=Path("/project/half.py"), text="", place=ByName("half"))
    resolved = ResolvedRequest(
        request=request, root=Path("/project"), path="half.py", target=problem().target, settings=Settings()
    )
    known = told(outcome=outcome, touched=touched, cold=cold)[:events]
    search = LiveSearch(id="5eac", resolved=resolved, state=board_of(known))
    search.run = Run(emitter=EventEmitter(search.id, lambda _: None))
    if events is None:
        search.run.stopped.set()
    return search
