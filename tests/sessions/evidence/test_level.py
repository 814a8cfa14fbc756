"""The level of evidence: weak beside rivals, strong if small and backed, and fair otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from certo.presentation.evidence_level import level_in_words, verified_in_words
from certo.search.board import CandidateState, SearchState
from certo.search.emitter import EventEmitter
from certo.sessions.evidence.level import SMALL_CHANGE, graded_evidence, with_levels
from certo.vocabulary.candidate import Difference, Observation, Standing
from certo.vocabulary.events import (
    CandidateCompared,
    Event,
    EvidenceGraded,
    SearchResumed,
    SearchStopped,
    StrengthMeasured,
)
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.problem import FAILED_BEFORE, KnownTest
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.text import Hunk
from certo.vocabulary.verdict import TOGETHER, Dependence, Report, Ruling, Verdict
from support.search.events import STRENGTH, board_of, ran_tests, told

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


def test_behaviours_are_counted_not_candidates(state: SearchState) -> None:
    first = add_rival(state, group=2)
    state.rows["ddd"] = dataclasses.replace(first, candidate_id="ddd", number=4)
    assert level_of(state).reasons == ("1 other behaviour passes these tests",)
    state.rows["ddd"].group = 3
    assert level_of(state).reasons == ("2 other behaviours pass these tests",)


def given(first: str, second: str) -> tuple[Observation, ...]:
    return Observation(call="change(1)", result=first), Observation(call="change(2)", result=second)


@pytest.mark.parametrize(
    ("theirs", "call"),
    [(given("0", "1"), ""), (given("1", "1"), "change(2)"), ((), "")],
    ids=["each on another", "both on one", "not compared"],
)
def test_settling_call_differs_from_all(state: SearchState, theirs: tuple[Observation, ...], call: str) -> None:
    state.rows[BEST].observations = given("0", "0")
    rival = add_rival(state, observations=given("1", "0") if call == "" else given("0", "1"))
    unknown = "" if theirs else "it needs a file"
    other = dataclasses.replace(rival, candidate_id="ddd", number=4, observations=theirs, uncompared=unknown)
    state.rows["ddd"] = other
    assert level_of(state).call == call


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


def test_answers_made_of_one_share_it(state: SearchState) -> None:
    """One that was minimised and then formatted is no other answer than the first."""
    row = state.rows[BEST]
    row.number = 5
    for number, (known, made_of) in enumerate([("ccc", None), ("ddd", "ccc")], 3):
        step = dataclasses.replace(row, candidate_id=known, number=number, parent=made_of)
        state.rows[known] = step
    row.parent = "ddd"
    assert level_of(state).level is EvidenceLevel.STRONG
    row.parent = None
    assert level_of(state).reasons == (
        "#3, proposed before it, is verified too, and was compared only on calls like those of the tests",
    )


@pytest.mark.parametrize("reason", ["7 tests depend on what it does, so one answer was enough", ""])
def test_nothing_compared_is_fair(state: SearchState, reason: str) -> None:
    row = state.rows[BEST]
    row.alike, row.uncompared = None, reason
    depended_on(row, 50)
    assert level_of(state) == GradedEvidence(
        level=EvidenceLevel.FAIR, reasons=("no other candidate was compared with it",)
    )


@pytest.mark.parametrize("alike", [None, 0], ids=["unknown", "none found"])
def test_other_answers_of_a_group_count(state: SearchState, alike: int | None) -> None:
    row = state.rows[BEST]
    row.alike, row.agreeing, row.compared, row.group = alike, 2, 2, 1
    other = dataclasses.replace(row, candidate_id="ccc", number=3)
    state.rows["ccc"] = other
    graded = level_of(state)
    assert graded.level is EvidenceLevel.STRONG
    assert graded.reasons == ("2 tests depend on it", "1 other candidate that passes behaves like it")
    other.parent = BEST
    assert level_of(state).level is EvidenceLevel.FAIR


def test_repeated_answer_is_no_other(state: SearchState) -> None:
    row = state.rows[BEST]
    row.alike, row.agreeing, row.compared, row.group = None, 3, 3, 1
    graded = level_of(state)
    assert graded.level is EvidenceLevel.FAIR
    assert graded.reasons == (
        "only 2 tests depend on it, and all that behaves like it is the same answer, given 3 times",
    )
    depended_on(row, 5)
    assert level_of(state) == GradedEvidence(
        level=EvidenceLevel.STRONG, reasons=("5 tests depend on it", "the same answer was given 3 times")
    )


@pytest.mark.parametrize(("passed", "reasons"), [(False, ("no other passes",)), (True, ())])
def test_later_candidate_is_not_denied(state: SearchState, *, passed: bool, reasons: tuple[str, ...]) -> None:
    row = state.rows[BEST]
    row.alike = 0
    depended_on(row, 5)
    state.rows["ccc"] = dataclasses.replace(row, candidate_id="ccc", number=3, passed=passed, verified=passed)
    assert level_of(state) == GradedEvidence(level=EvidenceLevel.STRONG, reasons=("5 tests depend on it", *reasons))


def test_kept_behaviour_has_no_level(state: SearchState) -> None:
    """It was compared with the text, which tells more than any other candidate."""
    row = state.rows[BEST]
    row.verdicts.append(Verdict(verifier="equivalence", ruling=Ruling.PASSED))
    assert graded_evidence(state, row) is None


@pytest.mark.parametrize(
    ("tokens", "level"), [(SMALL_CHANGE, EvidenceLevel.STRONG), (SMALL_CHANGE + 1, EvidenceLevel.FAIR)]
)
def test_large_change_is_fair(state: SearchState, tokens: int, level: EvidenceLevel) -> None:
    state.rows[BEST].hunks = (Hunk(line=2, removed=(), added=("a " * tokens,)),)
    assert level_of(state).level is level


@pytest.mark.parametrize(
    ("noticed", "reasons"), [(4, ("your tests notice 4 of 10 small changes",)), (5, None)], ids=["fewer", "half"]
)
def test_low_strength_is_a_doubt(state: SearchState, noticed: int, reasons: tuple[str, ...] | None) -> None:
    state.rows[BEST].strength = TestStrength(noticed=noticed, of=10, gaps=STRENGTH.gaps, tried=10, possible=10)
    graded = level_of(state)
    assert (graded.reasons if graded.level is EvidenceLevel.FAIR else None) == reasons
    assert graded.call == ""


def test_not_tried_apart_is_a_doubt(state: SearchState) -> None:
    verdicts = state.rows[BEST].verdicts
    verdicts[-1] = dataclasses.replace(verdicts[-1], assurance=f"{TOGETHER}: no fork")
    assert state.rows[BEST].report.headline == "VERIFIED, NOT TRIED APART"
    assert level_of(state) == GradedEvidence(
        level=EvidenceLevel.FAIR, reasons=("it was not tried apart from the tests",)
    )


def test_tests_that_failed_before_are_a_doubt(state: SearchState) -> None:
    assert state.started is not None
    older = KnownTest(id="test_shop.py::test_old", ruling=Ruling.FAILED, message=f"{FAILED_BEFORE}: OSError: no")
    baseline = dataclasses.replace(state.started.baseline, set_aside=(older,))
    state.started = dataclasses.replace(state.started, baseline=baseline)
    reasons = ("1 test is set aside that failed in the last commit too",)
    assert level_of(state) == GradedEvidence(level=EvidenceLevel.FAIR, reasons=reasons)


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
    state.rows[BEST].graded = level_of(state)
    low = TestStrength(noticed=1, of=10, tried=10, possible=10)
    measured = StrengthMeasured(candidate_id=BEST, strength=low)
    heard = list(emitted(state, measured, measured))
    assert [type(event) for event in heard] == [StrengthMeasured, EvidenceGraded, StrengthMeasured]


def test_resumed_search_has_no_levels(state: SearchState) -> None:
    state.rows[BEST].graded = level_of(state)
    list(emitted(state, SearchResumed(candidates=2, answers=0, lost=0)))
    assert state.rows[BEST].graded is None


def graded_row(state: SearchState, level: EvidenceLevel, call: str = "") -> Report:
    state.rows[BEST].graded = GradedEvidence(level=level, call=call)
    return state.rows[BEST].report


@pytest.mark.parametrize(
    ("level", "words"),
    [
        (EvidenceLevel.WEAK, "verified by weak tests"),
        (EvidenceLevel.FAIR, "verified"),
        (EvidenceLevel.STRONG, "verified"),
    ],
)
def test_only_weak_is_said_of_tests(state: SearchState, level: EvidenceLevel, words: str) -> None:
    assert verified_in_words(graded_row(state, level)) == words


def test_long_call_is_cut(state: SearchState) -> None:
    said = level_in_words(graded_row(state, EvidenceLevel.WEAK, f"change({'1' * 700})"))
    assert len(said) < 200
    assert "…` would settle it." in said


def test_level_of_unverified_is_unsaid(state: SearchState) -> None:
    report = graded_row(state, EvidenceLevel.STRONG)
    assert level_in_words(report).startswith("The evidence is strong")
    failed = (ran_tests(Ruling.FAILED, passed=1, of=2),)
    assert level_in_words(dataclasses.replace(report, verdicts=failed)) == ""


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
