"""The level of the evidence for each verified candidate of a search, from what its events have told so far.

The rule is one that can be said in a sentence for each level. It was chosen on development cases of public sets, and
`tests/benchmarks/levels.py` checks on others that it keeps what it promises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from certo.edits.alignment import changed_tokens
from certo.presentation.rivals import compared, uncompared
from certo.presentation.strength import shown_gaps
from certo.search.board import CandidateState, SearchState
from certo.search.second_opinion import FEW_TESTS, tests_on
from certo.vocabulary.display import amount
from certo.vocabulary.events import (
    CandidateCompared,
    CandidateScored,
    Event,
    EvidenceGraded,
    SearchStopped,
    StrengthMeasured,
)
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence

SMALL_CHANGE = 10
"""Tokens that a change adds or removes at most for strong evidence; of larger ones that pass, more are wrong."""

MIN_TESTS = 2
"""Tests that depend on the target at least for strong evidence."""

_TELLING = CandidateScored | CandidateCompared | StrengthMeasured
"""Events after the end of a search that may change the level of the evidence."""


def with_levels(state: SearchState, event: Event) -> Iterator[Event]:
    """Yield an event of a search, and the levels of evidence that follow; `state` is folded from what is yielded.

    Candidates have no level before the end, because others that pass may yet be found; the end has that of its winner.
    """
    if isinstance(event, SearchStopped):
        yield from _changed_levels(state)
        yield _with_level_of_winner(state, event)
        return
    yield event
    if state.stopped is not None and isinstance(event, _TELLING):
        yield from _changed_levels(state)


def graded_evidence(state: SearchState, row: CandidateState) -> GradedEvidence | None:
    """Return the level of the evidence for a candidate by all that is known; None if it is not verified.

    It is weak if a candidate that behaves differently passes too, or one that could not be compared. It is strong if
    none does, the change is small, two tests depend on the target, another candidate behaves alike or five tests do,
    and none was verified before it, which may behave differently on calls that are unlike those of the tests.
    """
    if not row.verified:
        return None
    contenders = state.contenders(row)
    if contenders:
        return _weak(contenders)
    doubts = [*_doubts(state, row)]
    if not doubts:
        return GradedEvidence(level=EvidenceLevel.STRONG, reasons=_in_favour(row))
    gap = next(iter(shown_gaps(row.strength)), None) if row.strength is not None else None
    return GradedEvidence(level=EvidenceLevel.FAIR, reasons=tuple(doubts), call=gap.call if gap is not None else "")


def _weak(contenders: Sequence[CandidateState]) -> GradedEvidence:
    """Return the evidence for one of several candidates that pass."""
    unknown = len(uncompared(contenders))
    behaviours = len(contenders) - 1 - unknown
    reasons = [
        *([f"{amount(behaviours, 'other behaviour')} {_pass(behaviours)} these tests"] if behaviours else []),
        *([f"{amount(unknown, 'other candidate')} {_pass(unknown)} and could not be compared"] if unknown else []),
    ]
    calls = (call for call, _ in compared(contenders))
    told = (each.difference.call for each in contenders if each.difference is not None)
    call = next(told, "") or next(calls, "")
    return GradedEvidence(level=EvidenceLevel.WEAK, reasons=tuple(reasons), call=call)


def _pass(number: int) -> str:
    return "passes" if number == 1 else "pass"


def _doubts(state: SearchState, row: CandidateState) -> Iterator[str]:
    """Yield what keeps the evidence for a candidate without a rival from being strong."""
    tests, size, alike = tests_on(row.report), _tokens(row), _alike(row)
    depend = f"only {amount(tests, 'test')} {'depends' if tests == 1 else 'depend'} on it"
    if alike is None:
        yield row.uncompared or "no other candidate was compared with it"
    elif tests < MIN_TESTS:
        yield depend
    elif not alike and tests < FEW_TESTS:
        yield f"{depend}, and no other candidate behaves like it"
    if size > SMALL_CHANGE:
        yield f"the change is large, {size} tokens"
    if first := next((other for other in state.rows.values() if _came_before(other, row)), None):
        yield f"#{first.number} was verified before it, and was compared on calls like those of the tests alone"


def _came_before(other: CandidateState, row: CandidateState) -> bool:
    """True if another candidate was verified before one that was not made of it, and did not vote with it.

    Those that come later say nothing: how many there are depends on how quickly the first is judged.
    """
    return (
        other.verified
        and other.number < row.number
        and row.parent != other.candidate_id
        and not (row.group and row.group == other.group)
    )


def _in_favour(row: CandidateState) -> tuple[str, ...]:
    """Return what makes the evidence for a candidate strong."""
    tests, alike = tests_on(row.report), _alike(row) or 0
    depend, behave = ("depends" if tests == 1 else "depend"), ("behaves" if alike == 1 else "behave")
    others = f"{amount(alike, 'other candidate')} that {_pass(alike)} {behave} like it" if alike else "no other passes"
    return f"{amount(tests, 'test')} {depend} on it", others


def _alike(row: CandidateState) -> int | None:
    """Return how many other candidates behave like one; None if none was compared with it."""
    if row.alike is not None:
        return row.alike
    return row.agreeing - 1 if row.agreeing > 1 else None


def _tokens(row: CandidateState) -> int:
    """Return the number of tokens that a candidate adds or removes."""
    hunks = [*row.hunks, *(hunk for change in row.elsewhere for hunk in change.hunks)]
    return sum(changed_tokens("".join(hunk.removed), "".join(hunk.added)) for hunk in hunks)


def _changed_levels(state: SearchState) -> Iterator[EvidenceGraded]:
    for row in state.rows.values():
        graded = graded_evidence(state, row)
        if graded is not None and graded != row.graded:
            yield EvidenceGraded(candidate_id=row.candidate_id, graded=graded)


def _with_level_of_winner(state: SearchState, stopped: SearchStopped) -> SearchStopped:
    if stopped.winner is None or stopped.winner.candidate_id not in state.rows:
        return stopped
    evidence = replace(stopped.winner.evidence, graded=state.rows[stopped.winner.candidate_id].graded)
    return replace(stopped, winner=replace(stopped.winner, evidence=evidence))
