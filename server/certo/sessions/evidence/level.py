"""The level of the evidence for each verified candidate of a search, from what its events have told so far.

The rule is one that can be said in a sentence for each level. It was chosen on development cases of public sets, and
`tests/benchmarks/levels.py` checks on others that it keeps what it promises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from certo.edits.alignment import changed_tokens
from certo.presentation.strength import strength_in_words
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
from certo.vocabulary.verdict import NOT_APART

SMALL_CHANGE = 10
"""Tokens that a change adds or removes at most for strong evidence; of larger ones that pass, more are wrong."""

MIN_TESTS = 2
"""Tests that depend on the target at least for strong evidence."""

MIN_NOTICED = 0.5
"""Share of small changes that tests notice at least for strong evidence, if it was measured."""

_EQUIVALENCE = "equivalence"
"""The verifier that compares a candidate with the text, where the behaviour of the text is to be kept."""

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
    none does, the change is small and was tried apart, two tests depend on the target, another candidate behaves alike
    or five tests do, no low strength was measured, no test was set aside because it failed before, and none was
    proposed before it that is verified: that one may behave differently on calls unlike those of the tests. A candidate
    that keeps the behaviour of the text has no level: it was compared with the text instead.
    """
    if not row.verified or any(verdict.verifier == _EQUIVALENCE for verdict in row.verdicts):
        return None
    contenders = state.contenders(row)
    if contenders:
        return _weak(row, contenders)
    doubts = tuple(_doubts(state, row))
    if doubts:
        return GradedEvidence(level=EvidenceLevel.FAIR, reasons=doubts)
    return GradedEvidence(level=EvidenceLevel.STRONG, reasons=tuple(_in_favour(state, row)))


def _weak(row: CandidateState, contenders: Sequence[CandidateState]) -> GradedEvidence:
    """Return the evidence for one of several candidates that pass."""
    besides = [other for other in contenders if other is not row]
    others = [other for other in besides if _behaviour(other) != _behaviour(row)] or besides
    calls = {other.candidate_id: _telling_calls(row, other) for other in others}
    unknown = [other for other in others if not calls[other.candidate_id] and (other.uncompared or row.uncompared)]
    behaviours = len({_behaviour(other) for other in others if other not in unknown})
    reasons = [
        *([f"{amount(behaviours, 'other behaviour')} {_pass(behaviours)} these tests"] if behaviours else []),
        *(
            [f"{amount(len(unknown), 'other candidate')} {_pass(len(unknown))} and could not be compared"]
            if unknown
            else []
        ),
    ]
    first, *more = calls.values()
    settling = (call for call in first if all(call in each for each in more))
    return GradedEvidence(level=EvidenceLevel.WEAK, reasons=tuple(reasons), call=next(settling, ""))


def _behaviour(row: CandidateState) -> object:
    """Return what is equal for candidates that are known to behave alike."""
    return row.group or row.observations or row.candidate_id


def _telling_calls(row: CandidateState, other: CandidateState) -> tuple[str, ...]:
    """Return the calls on which two candidates are known to differ, the one that was named first."""
    named = [
        one.difference.call
        for one, known in ((row, other), (other, row))
        if one.difference is not None and one.rival_of in {known.candidate_id, known.parent} - {None}
    ]
    theirs = {seen.call: seen.result for seen in other.observations}
    seen_apart = (seen.call for seen in row.observations if theirs.get(seen.call, seen.result) != seen.result)
    return tuple(dict.fromkeys([*named, *seen_apart]))


def _pass(number: int) -> str:
    return "passes" if number == 1 else "pass"


def _depend(tests: int) -> str:
    return f"{amount(tests, 'test')} {'depends' if tests == 1 else 'depend'} on it"


def _doubts(state: SearchState, row: CandidateState) -> Iterator[str]:
    """Yield what keeps the evidence for a candidate without a rival from being strong."""
    tests, size, alike = tests_on(row.report), _tokens(row), _alike(state, row)
    if not alike and row.alike is None and row.agreeing < 2:
        yield "no other candidate was compared with it"
    elif tests < MIN_TESTS:
        yield f"only {_depend(tests)}"
    elif not alike and tests < FEW_TESTS:
        behaves = f"all that behaves like it is the same answer, given {row.agreeing} times"
        yield f"only {_depend(tests)}, and {behaves if row.agreeing > 1 else 'no other candidate behaves like it'}"
    if size > SMALL_CHANGE:
        yield f"the change is large, {size} tokens"
    if row.report.caveat:
        yield f"it was {NOT_APART}"
    if older := sum(test.is_older for test in state.started.baseline.set_aside) if state.started else 0:
        yield f"{amount(older, 'test')} {'is' if older == 1 else 'are'} set aside that failed in the last commit too"
    if row.strength is not None and row.strength.noticed < row.strength.of * MIN_NOTICED:
        yield strength_in_words(row.strength)
    if first := next((other for other in state.rows.values() if _came_before(state, other, row)), None):
        compared = "was compared only on calls like those of the tests"
        yield f"#{first.number}, proposed before it, is verified too, and {compared}"


def _came_before(state: SearchState, other: CandidateState, row: CandidateState) -> bool:
    """True if a verified candidate was proposed before one that is another answer, and did not vote with it.

    Those that come later say nothing: how many there are depends on how quickly the first is judged.
    """
    return (
        other.verified
        and other.number < row.number
        and _answer_of(state, other) != _answer_of(state, row)
        and not (row.group and row.group == other.group)
    )


def _answer_of(state: SearchState, row: CandidateState) -> str:
    """Return the first of the candidates that passed and that one was made of, step by step; itself if of none."""
    seen: set[str] = set()
    while row.candidate_id not in seen:
        seen.add(row.candidate_id)
        made_of = state.rows.get(row.parent or "")
        row = made_of if made_of is not None and made_of.passed else row
    return row.candidate_id


def _in_favour(state: SearchState, row: CandidateState) -> Iterator[str]:
    """Yield what makes the evidence for a candidate strong."""
    yield _depend(tests_on(row.report))
    if alike := _alike(state, row):
        behave = "behaves" if alike == 1 else "behave"
        yield f"{amount(alike, 'other candidate')} that {_pass(alike)} {behave} like it"
    elif row.agreeing > 1:
        yield f"the same answer was given {row.agreeing} times"
    elif not any(other.passed for other in state.rows.values() if other is not row):
        yield "no other passes"


def _alike(state: SearchState, row: CandidateState) -> int:
    """Return how many other candidates behave like one; what was made of the same answer, or repeats it, is none."""
    own = _answer_of(state, row)
    together = (other for other in state.rows.values() if other.passed and other.group == row.group)
    answers = {_answer_of(state, other) for other in together} - {own} if row.group else ()
    return max(row.alike or 0, len(answers))


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
