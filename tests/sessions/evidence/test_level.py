"""The level of evidence: weak beside rivals, strong if small and backed, and fair otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from certo.search.board import CandidateState, SearchState
from certo.search.emitter import EventEmitter
from certo.sessions.evidence.level import SMALL_CHANGE, graded_evidence, with_levels
from certo.vocabulary.candidate import Difference, Observation, Standing
from certo.vocabulary.events import CandidateCompared, Event, EvidenceGraded, SearchStopped, StrengthMeasured
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.text import Hunk
from certo.vocabulary.verdict import Dependence, Report
from support.search.events import STRENGTH, board_of, told

BEST = "bbb"


@pytest.fixture
def state() -> SearchState:
    """Return a search whose only candidate that passed is verified by two tests, and behaves like two others."""
    state = board_of(told())
    row = state.rows[BEST]
    row.graded, row.strength, row.agreeing, row.alike = None, None, 0, 2
    return state


def level_of(state: SearchState) -> GradedEvidence:
    graded = graded_evidence(state, state.rows[BEST])
    assert graded is not None
    return graded


def add_rival(state: SearchState, **fields: object) -> CandidateState:
    row = dataclasses.replace(state.rows[BEST], candidate_id="ccc", number=3, rival_of=BEST, **fields)
    state.rows["ccc"] = row
    return row


def depended_on(row: CandidateState, tests: int) -> None:
    """Let so many tests depend on what a candidate's target does."""
    row.verdicts[-1] = dataclasses.replace(row.verdicts[-1], dependence=Dependence(noticed=tests))


def test_small_change_with_companions_is_strong(state: SearchState) -> None:
    graded = level_of(state)
    assert graded.level is EvidenceLevel.STRONG
    assert graded.reasons == ("2 tests depend on it", "2 other candidates that pass behave like it")


def test_other_behaviour_makes_evidence_weak(state: SearchState) -> None:
    difference = Difference(call="change(1)", ours="1", theirs="0")
    rival = add_rival(state, difference=difference)
    assert level_of(state) == GradedEvidence(
        level=EvidenceLevel.WEAK, reasons=("1 other behaviour passes these tests",), call="change(1)"
    )
    assert graded_evidence(state, rival) == level_of(state)


def test_call_is_read_from_observations(state: SearchState) -> None:
    state.rows[BEST].observations = (Observation(call="change(2)", result="0"),)
    add_rival(state, observations=(Observation(call="change(2)", result="1"),))
    assert level_of(state).call == "change(2)"


def test_uncompared_candidates_make_evidence_weak(state: SearchState) -> None:
    add_rival(state, uncompared="it needs a file")
    graded = level_of(state)
    assert graded.level is EvidenceLevel.WEAK
    assert graded.reasons == ("1 other candidate passes and could not be compared",)


def test_lone_candidate_needs_tests(state: SearchState) -> None:
    row = state.rows[BEST]
    row.alike = 0
    graded = level_of(state)
    assert graded.level is EvidenceLevel.FAIR
    assert graded.reasons == ("only 2 tests depend on it, and no other candidate behaves like it",)
    depended_on(row, 5)
    assert level_of(state).level is EvidenceLevel.STRONG


def test_one_test_is_never_strong(state: SearchState) -> None:
    depended_on(state.rows[BEST], 1)
    graded = level_of(state)
    assert graded == GradedEvidence(level=EvidenceLevel.FAIR, reasons=("only 1 test depends on it",))


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        ({}, EvidenceLevel.FAIR),
        ({"number": 3}, EvidenceLevel.STRONG),
        ({"verified": False}, EvidenceLevel.STRONG),
        ({"candidate_id": "aaa"}, EvidenceLevel.STRONG),
    ],
    ids=["another", "later", "not verified", "parent"],
)
def test_earlier_verified_candidate_is_a_doubt(
    state: SearchState, fields: dict[str, object], level: EvidenceLevel
) -> None:
    row = dataclasses.replace(state.rows[BEST], **{"candidate_id": "ccc", "number": 1, **fields})
    state.rows[row.candidate_id] = row
    assert level_of(state).level is level


def test_nothing_compared_is_fair(state: SearchState) -> None:
    row = state.rows[BEST]
    row.alike, row.uncompared = None, "no other answer passed"
    depended_on(row, 50)
    assert level_of(state) == GradedEvidence(level=EvidenceLevel.FAIR, reasons=("no other answer passed",))


@pytest.mark.parametrize(
    ("agreeing", "level"), [(1, EvidenceLevel.FAIR), (2, EvidenceLevel.STRONG)], ids=["one answer", "two answers"]
)
def test_agreeing_answers_count(state: SearchState, agreeing: int, level: EvidenceLevel) -> None:
    row = state.rows[BEST]
    row.alike, row.agreeing = None, agreeing
    assert level_of(state).level is level


@pytest.mark.parametrize(
    ("tokens", "level"), [(SMALL_CHANGE, EvidenceLevel.STRONG), (SMALL_CHANGE + 1, EvidenceLevel.FAIR)]
)
def test_large_change_is_fair(state: SearchState, tokens: int, level: EvidenceLevel) -> None:
    state.rows[BEST].hunks = (Hunk(line=2, removed=(), added=("a " * tokens,)),)
    assert level_of(state).level is level


def test_gap_settles_fair_evidence(state: SearchState) -> None:
    row = state.rows[BEST]
    row.alike, row.strength = 0, STRENGTH
    assert level_of(state).call == STRENGTH.gaps[0].call


def test_unverified_candidate_has_no_level(state: SearchState) -> None:
    state.rows[BEST].verified = False
    assert graded_evidence(state, state.rows[BEST]) is None


def emitted(state: SearchState, *events: Event) -> Iterator[Event]:
    """Yield what listeners hear of events."""
    heard: list[Event] = []

    def hear(event: Event) -> None:
        state.apply(event)
        heard.append(event)

    emitter = EventEmitter("5eac", hear, completed=lambda event: with_levels(state, event))
    for event in events:
        emitter.emit(event)
    yield from heard


def test_level_comes_with_the_end(state: SearchState) -> None:
    end = next(event for event in told() if isinstance(event, SearchStopped))
    state.stopped = None
    compared = CandidateCompared(candidate_id=BEST, standing=Standing(alike=1))
    heard = list(emitted(state, compared, end))
    assert [type(event) for event in heard] == [CandidateCompared, EvidenceGraded, SearchStopped]
    assert [event.seq for event in heard] == [1, 2, 3]
    stopped = heard[-1]
    assert isinstance(stopped, SearchStopped)
    assert stopped.winner is not None
    assert stopped.winner.evidence.graded == state.rows[BEST].graded
    assert state.rows[BEST].graded is not None


def test_later_knowledge_changes_the_level(state: SearchState) -> None:
    row = state.rows[BEST]
    row.alike = 0
    row.graded = level_of(state)
    measured = StrengthMeasured(candidate_id=BEST, strength=STRENGTH)
    heard = list(emitted(state, measured, measured))
    assert [type(event) for event in heard] == [StrengthMeasured, EvidenceGraded, StrengthMeasured]


@pytest.mark.parametrize(
    ("level", "heading"),
    [
        (EvidenceLevel.WEAK, "VERIFIED BY WEAK TESTS"),
        (EvidenceLevel.FAIR, "VERIFIED"),
        (EvidenceLevel.STRONG, "VERIFIED"),
    ],
)
def test_heading_says_weak(state: SearchState, level: EvidenceLevel, heading: str) -> None:
    report = Report(candidate_id=BEST, verdicts=tuple(state.rows[BEST].verdicts), graded=GradedEvidence(level=level))
    assert report.headline == heading
