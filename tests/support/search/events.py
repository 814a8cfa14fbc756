"""Hand-made events: one whole search in order, for tests of listeners."""

from __future__ import annotations

from certo.search.board import SearchState
from certo.vocabulary.candidate import Origin, Standing
from certo.vocabulary.cost import Budget, Cost, Spent
from certo.vocabulary.events import (
    BestImproved,
    BudgetSpent,
    CandidateCompared,
    CandidateDeclined,
    CandidateDrafted,
    CandidateProposed,
    CandidateRanked,
    CandidateRepeated,
    CandidateScored,
    CandidateWritten,
    Event,
    EvidenceGraded,
    GeneratorReported,
    IdeaAdded,
    IdeaDropped,
    ModelLooked,
    SearchPreparing,
    SearchResumed,
    SearchStarted,
    SearchStopped,
    StrengthMeasured,
    StrengthProgressed,
    VerdictReached,
    VerifierStarted,
    VoteCast,
    Winner,
)
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, Goal, KnownTest
from certo.vocabulary.strength import Gap, TestStrength
from certo.vocabulary.text import Hunk, Span, TextEdit
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict

SOURCE = "def change(due):\n    while due >= 1:\n        due -= 1\n    return due\n"
DIFF = (
    "--- a/till/coins.py\n"
    "+++ b/till/coins.py\n"
    "@@ -1,4 +1,4 @@\n"
    " def change(due):\n"
    "-    while due > 1:\n"
    "+    while due >= 1:\n"
    "         due -= 1\n"
    "     return due\n"
)
HUNKS = (Hunk(line=2, removed=("    while due > 1:\n",), added=("    while due >= 1:\n",)),)
GRADED = GradedEvidence(level=EvidenceLevel.FAIR, reasons=("1 test depends on it",))
STRENGTH = TestStrength(
    noticed=10,
    of=11,
    gaps=(
        Gap(
            line=2,
            kind="another constant",
            before="while due >= 1:",
            after="while due >= 2:",
            call="change(1)",
            now="0",
            changed="1",
        ),
    ),
    uncounted=1,
    calls=320,
    tried=12,
    possible=12,
    tests=2,
)
BUDGET = Budget(candidates=64, seconds=60.0)
COST = Cost(value=2.0, unit="tokens", source="tokens added or removed in the target")
BASELINE = Baseline(
    tests=(
        KnownTest(id="tests/test_coins.py::test_exact", ruling=Ruling.FAILED, message="assert [50] == [50, 1]"),
        KnownTest(id="tests/test_coins.py::test_nothing", ruling=Ruling.PASSED),
    ),
    set_aside=(KnownTest(id="tests/test_shop.py::test_network", ruling=Ruling.FAILED, message="ConnectionError"),),
    problems=("tests/test_old.py fails at collection: No module named 'old'",),
)


def ran_tests(ruling: Ruling, *, passed: int, of: int, touched: bool | None = True, cold: str = "") -> Verdict:
    """Return the verdict of the verifier that runs tests."""
    findings = (
        ()
        if ruling is Ruling.PASSED
        else (Finding(message="tests/test_coins.py::test_exact: assert [50] == [50, 1]", line=2),)
    )
    return Verdict(
        verifier="tests",
        ruling=ruling,
        findings=findings,
        seconds=0.31,
        tests=TestEvidence(
            collected=of,
            ran=of,
            passed=passed,
            failed=of - passed,
            skipped=0,
            newly_passing=1 if ruling is Ruling.PASSED else 0,
            touched=touched,
            isolation="Landlock, seccomp: no network, no new processes, project read-only",
            cold=cold,
        ),
    )


def told(*, outcome: Outcome = Outcome.SOLVED, touched: bool | None = True, cold: str = "") -> tuple[Event, ...]:
    """Return the events of one search, of every kind: first a candidate fails, then another passes."""
    syntax = Verdict(verifier="syntax", ruling=Ruling.PASSED, seconds=0.001)
    red = ran_tests(Ruling.FAILED, passed=1, of=2)
    green = ran_tests(Ruling.PASSED, passed=2, of=2, touched=touched, cold=cold)
    report = Report(candidate_id="bbb", verdicts=(syntax, green))
    solved = outcome in {Outcome.SOLVED, Outcome.UNVERIFIED}
    winner = Winner(candidate_id="bbb", diff=DIFF, source=SOURCE, evidence=report, cost=COST) if solved else None
    steps: list[tuple[type[Event], dict[str, object]]] = [
        (SearchPreparing, {"message": "finding the interpreter"}),
        (SearchResumed, {"candidates": 0, "answers": 0, "lost": 0}),
        (
            SearchStarted,
            {
                "root": "/home/me/till",
                "path": "till/coins.py",
                "qualname": "change",
                "line": 1,
                "goal": Goal.REPAIR,
                "generator": "builtin",
                "strategy": "retry",
                "verifiers": ("syntax", "tests"),
                "budget": BUDGET,
                "baseline": BASELINE,
            },
        ),
        (GeneratorReported, {"message": "tracing 2 tests"}),
        (IdeaAdded, {"idea": 1, "parent": None, "text": "Pay with the largest coins first."}),
        (IdeaAdded, {"idea": 2, "parent": 1, "text": "Count the coins of each kind."}),
        (IdeaDropped, {"idea": 2, "reason": "less promising than others"}),
        (CandidateDrafted, {"slot": 1, "attempt": 0, "model": "openai:gpt-5-mini", "lines": 4, "diff": DIFF}),
        (CandidateWritten, {"slot": 1, "attempt": 0, "model": "openai:gpt-5-mini", "at_character": 0, "text": "Here"}),
        (
            ModelLooked,
            {
                "slot": 1,
                "attempt": 0,
                "model": "openai:gpt-5-mini",
                "number": 1,
                "tool": "find_callers",
                "arguments": '{"name": "change"}',
                "result": "till/basket.py:12",
                "characters": 17,
            },
        ),
        *_candidate("aaa", None, "negated the condition, line 2", (syntax, red), passed=False, verified=False),
        (CandidateRepeated, {"candidate_id": "aaa", "origin": Origin(generator="builtin", note="again", slot=1)}),
        (CandidateDeclined, {"slot": 2, "attempt": 0, "reason": "there was no code in its answer"}),
    ]
    if solved:
        note = "comparison `>` became `>=`, line 2"
        steps += _candidate("bbb", "aaa", note, (syntax, green), passed=True, verified=report.verified)
        steps.append((CandidateRanked, {"candidate_id": "bbb", "place": 1, "of": 1}))
        steps.append((BestImproved, {"candidate_id": "bbb", "cost": COST}))
        steps.append((CandidateCompared, {"candidate_id": "bbb", "standing": Standing(agreeing=1)}))
        steps.append((EvidenceGraded, {"candidate_id": "bbb", "graded": GRADED}))
        steps.append((StrengthProgressed, {"candidate_id": "bbb", "done": 6, "of": 12}))
        steps.append((StrengthMeasured, {"candidate_id": "bbb", "strength": STRENGTH}))
    spent = Spent(candidates=2, seconds=1.5)
    steps.append((BudgetSpent, {"spent": spent, "budget": BUDGET}))
    reason = "" if solved else "every mutation was tried"
    verified = solved and report.verified
    steps.append(
        (
            SearchStopped,
            {"outcome": outcome, "reason": reason, "verified": verified, "winner": winner, "spent": spent},
        )
    )
    return tuple(
        kind(seq=number, search="5eac", at=number / 10, **fields)  # type: ignore[arg-type]  # rows of mixed fields
        for number, (kind, fields) in enumerate(steps, start=1)
    )


def board_of(events: tuple[Event, ...]) -> SearchState:
    """Return the state of a search after these events."""
    board = SearchState()
    for event in events:
        board.apply(event)
    return board


def _candidate(
    name: str, parent: str | None, note: str, verdicts: tuple[Verdict, ...], *, passed: bool, verified: bool
) -> list[tuple[type[Event], dict[str, object]]]:
    edits = (TextEdit(Span(27, 28), ">="),)
    origin = Origin(generator="builtin", note=note)
    steps: list[tuple[type[Event], dict[str, object]]] = [
        (
            CandidateProposed,
            {"candidate_id": name, "parent": parent, "origin": origin, "edits": edits, "diff": DIFF, "hunks": HUNKS},
        ),
    ]
    for verdict in verdicts:
        steps.append((VerifierStarted, {"candidate_id": name, "verifier": verdict.verifier}))
        vote = {"criterion": "clarity", "number": 0, "value": True, "reason": "it reads well"}
        steps.append((VoteCast, {"candidate_id": name, **vote}))
        steps.append((VerdictReached, {"candidate_id": name, "verdict": verdict}))
    cost = COST if passed else None
    steps.append((CandidateScored, {"candidate_id": name, "passed": passed, "verified": verified, "cost": cost}))
    return steps
