"""Commit message from a candidate and its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from certo.presentation.phrases import SIGNS, explained, ruling_shown, tests_of
from certo.presentation.search_view import SearchView
from certo.search.board import CandidateState
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.verdict import Ruling

_MAX_WIDTH = 72
"""Maximum length of the subject, so that every tool shows it whole."""

_MAX_CHARACTERS = 300


def commit_message(live: SearchView, row: CandidateState) -> str:
    """Return the message: the change, its author, each verifier's ruling, the cost and the search."""
    where = one_line(f"{live.path}::{live.target.qualname}")
    proposed = ": ".join(filter(None, (one_line(row.origin.generator), one_line(row.origin.note))))
    lines = [
        _subject(live, row),
        "",
        f"Candidate #{row.number} for {where}: {_outcome(row)}.",
        f"Proposed by {proposed}",
        "",
        *_verdicts(row),
        *([one_line(f"Cost: {explained(row.cost)}")] if row.cost is not None else []),
        "",
        f"Certo-Search: {live.id}",
        f"Certo-Candidate: {row.candidate_id}",
    ]
    return "\n".join(lines) + "\n"


def _subject(live: SearchView, row: CandidateState) -> str:
    """Return the subject in the imperative: "Repair Till.total in src/shop/till.py"."""
    goal = live.state.started.goal.value if live.state.started is not None else "change"
    done = goal.capitalize() if row.passed else f"Try to {goal}"
    name, path = one_line(live.target.short_name), one_line(live.path)
    named = (f"{done} {name} in {path}", f"{done} {name} in {PurePosixPath(path).name}", f"{done} {name}")
    fitting = next((subject for subject in named if len(subject) <= _MAX_WIDTH), named[-1])
    return fitting if len(fitting) <= _MAX_WIDTH else f"{fitting[: _MAX_WIDTH - 1]}…"


def _outcome(row: CandidateState) -> str:
    passed, collected, newly = tests_of(row.verdicts)
    word = "verified" if row.verified else "passed" if row.passed else "failed"
    return f"{word}, {passed} of {amount(collected, 'test')}, {newly} newly passing" if collected else word


def _verdicts(row: CandidateState) -> Iterator[str]:
    for verdict in row.verdicts:
        said = "; ".join(one_line(finding.message) for finding in verdict.findings[:3])
        shown = f": {said}" if said and verdict.ruling is not Ruling.PASSED else ""
        yield f"{SIGNS[ruling_shown(verdict)[0]]} {one_line(verdict.verifier)}{shown}"[:_MAX_CHARACTERS]
