"""What an editor has applied, without an editor."""

from __future__ import annotations

from certo.sessions.applied import Applied
from certo.sessions.searches import LiveSearch


def best_applied(live: LiveSearch) -> Applied:
    """The best candidate of a search, as if an editor had put it in as it is."""
    row = live.board.best_row
    assert row is not None
    return Applied(
        wanted=row.candidate_id,
        hunks=(),
        candidate_id=row.candidate_id,
        before=1,
        moved=False,
        merged=False,
        report=row.report,
        version=2,
        exact=True,
    )
