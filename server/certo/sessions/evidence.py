"""A candidate and its evidence as the message of a commit."""

from __future__ import annotations

from collections.abc import Iterator

from certo.search.board import Row
from certo.search.wording import SIGNS, amount, explained, tests_of
from certo.sessions.live import LiveSearch
from certo.vocabulary.verdict import Ruling

_WIDEST = 72
"""How long the first line of a message may be, so that every tool shows it whole."""

_LONGEST = 300


def commit_message(live: LiveSearch, row: Row) -> str:
    """What was tried, on which function, what each verifier said, what it costs, and which search it is of."""
    where = f"{live.aim.path}::{live.aim.target.qualname}"
    title = _line(row.origin.note) or f"Candidate #{row.number} for {live.aim.target.qualname}"
    lines = [
        title if len(title) <= _WIDEST else f"{title[: _WIDEST - 1]}…",
        "",
        f"Candidate #{row.number} for {where}, by {row.origin.generator}: {_outcome(row)}.",
        "",
        *_verdicts(row),
        *([f"Cost: {explained(row.cost)}"] if row.cost is not None else []),
        "",
        f"Certo-Search: {live.id}",
        f"Certo-Candidate: {row.candidate_id}",
    ]
    return "\n".join(lines) + "\n"


def _outcome(row: Row) -> str:
    passed, collected, newly = tests_of(row.verdicts)
    word = "verified" if row.verified else "passed" if row.passed else "failed"
    return f"{word}, {passed} of {amount(collected, 'test')}, {newly} newly passing" if collected else word


def _verdicts(row: Row) -> Iterator[str]:
    for verdict in row.verdicts:
        said = "; ".join(_line(finding.message) for finding in verdict.findings[:3])
        shown = f": {said}" if said and verdict.ruling is not Ruling.PASSED else ""
        yield f"{SIGNS[verdict.ruling]} {verdict.verifier}{shown}"[:_LONGEST]


def _line(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())
