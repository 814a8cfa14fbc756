"""How searches and their candidates stand, in the words of the wire."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from certo.features.desk import Desk
from certo.features.wording import ending, passing_line
from certo.protocol.searching import Base, RankedCandidate, SearchSummary, StateWord
from certo.search.board import Board, Row
from certo.search.wording import tests_of
from certo.sessions.live import LiveSearch


def state_of(live: LiveSearch) -> StateWord:
    """Whether a search runs."""
    return "running" if live.running else "stopped"


def base_of(desk: Desk, live: LiveSearch) -> Base:
    """The text a search began with; its version where the editor still shows that text."""
    text = live.base
    document = desk.documents.of_file(live.document)
    return Base(
        version=document.version if document is not None and document.whole == text else None,
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def summary_of(desk: Desk, live: LiveSearch) -> SearchSummary:
    """How a search stands, in short."""
    board, asked = live.board, live.aim.request
    return SearchSummary.model_validate(
        {
            "search_id": live.id,
            "state": state_of(live),
            "outcome": board.stopped.outcome if board.stopped is not None else None,
            "sentence": passing_line(live) if live.running else ending(live)[0],
            "uri": desk.uri_of(live),
            "qualname": live.aim.target.qualname,
            "line": live.aim.target.line,
            "instruction": asked.instruction,
            "background": asked.background,
            "accepted": live.accepted,
            "seconds": round(live.seconds, 3),
            "candidates": len(board.rows),
            "passed": len(board.ranked()),
            "best": board.best,
            "last_seq": live.history.last,
            "base": base_of(desk, live),
        },
        by_name=True,
    )


def ranked(board: Board) -> Iterator[RankedCandidate]:
    """The candidates that passed, best first, then the others in the order they came."""
    best_first = board.ranked()
    for place, row in enumerate(best_first, 1):
        yield _candidate(row, place)
    passed = {row.candidate_id for row in best_first}
    for row in board.rows.values():
        if row.candidate_id not in passed:
            yield _candidate(row, None)


def _candidate(row: Row, place: int | None) -> RankedCandidate:
    passed, owed, newly = tests_of(row.verdicts)
    return RankedCandidate.model_validate(
        {
            "candidate_id": row.candidate_id,
            "number": row.number,
            "place": place,
            "origin": row.origin,
            "judging": row.judging,
            "passed": row.passed,
            "verified": row.verified,
            "cost": row.cost,
            "rulings": row.verdicts,
            "tests": owed,
            "tests_passed": passed,
            "newly_passing": newly,
            "added": sum(len(hunk.added) for hunk in row.hunks),
            "removed": sum(len(hunk.removed) for hunk in row.hunks),
            "rival_of": row.rival_of,
            "difference": row.difference,
            "observations": row.observations,
            "agreeing": row.agreeing,
            "uncompared": row.uncompared,
            "caveat": row.caveat,
        },
        from_attributes=True,
        by_name=True,
    )
