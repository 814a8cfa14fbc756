"""The outcome, the error, the feedback and the score of an experiment; an unknown score is None, and never 0."""

from __future__ import annotations

import math

import pytest

from certo.generation.generator import Attempt
from certo.search.experiment import Experiment
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Finding, Report, Ruling, TestEvidence, Verdict

pytestmark = pytest.mark.acceptance(56)

RAN = TestEvidence(collected=2, ran=2, passed=1, failed=1, skipped=0, touched=True)


def tried(ruling: Ruling, *messages: str, tests: TestEvidence | None = None) -> Attempt:
    findings = tuple(Finding(message=message) for message in messages)
    verdict = Verdict(verifier="tests", ruling=ruling, findings=findings, tests=tests)
    candidate = Candidate(id="c", edits=(), text="", origin=Origin(generator="g"))
    return Attempt(candidate=candidate, report=Report(candidate_id="c", verdicts=(verdict,)))


def test_untried_idea_has_no_score():
    idea = Experiment(idea="Shift it.")
    assert (idea.attempt, idea.score, idea.had_error, idea.feedback) == (None, None, False, "")


@pytest.mark.parametrize("maximize", [True, False])
def test_unknown_score_is_worse_than_known(maximize: bool):
    """It is not taken for 0."""
    unknown = Experiment(attempt=tried(Ruling.PASSED))
    for value in (-1e9, 0.0, 1e9):
        known = Experiment(score=Score(value=value, unit="points", source="mine", maximize=maximize))
        assert known.merit > unknown.merit == -math.inf


@pytest.mark.parametrize(
    ("attempt", "had_error"),
    [
        (tried(Ruling.PASSED, tests=RAN), False),
        (tried(Ruling.FAILED, "1 of 2", tests=RAN), False),
        (tried(Ruling.UNDECIDED, "killed", tests=RAN), True),
        (tried(Ruling.FAILED, "no module"), True),
    ],
)
def test_failing_tests_are_no_error(attempt: Attempt, had_error: bool):
    """Everything else that is wrong with a candidate is an error."""
    assert Experiment(attempt=attempt).had_error is had_error


def test_feedback_is_the_findings():
    assert Experiment(attempt=tried(Ruling.FAILED, "one", "two", tests=RAN)).feedback == "one\ntwo"
    assert Experiment(attempt=tried(Ruling.PASSED, "a remark", tests=RAN)).feedback == ""
