"""Verified means: every verifier passed, some test ran, and it was seen to execute a changed line."""

from __future__ import annotations

import pytest

from certo.vocabulary.verdict import APART, NO_TEST, TOGETHER, Dependence, Report, Ruling, Verdict
from support.search.candidates import failing_tests, passing_tests

SYNTAX = Verdict(verifier="syntax", ruling=Ruling.PASSED)


def report(*verdicts: Verdict) -> Report:
    return Report(candidate_id="c1", verdicts=verdicts)


def test_passing_tests_that_touch_the_change_verify():
    assert report(SYNTAX, passing_tests()).verified


@pytest.mark.parametrize("touched", [False, None])
def test_tests_without_the_change_verify_nothing(touched):
    judged = report(SYNTAX, passing_tests(touched=touched))
    assert judged.passed
    assert not judged.verified


def test_no_tests_do_not_verify():
    assert report(SYNTAX).passed
    assert not report(SYNTAX).verified


def test_verdicts_without_tests_verify_nothing():
    assert not report(passing_tests(passed=0)).verified


@pytest.mark.parametrize("ruling", [Ruling.FAILED, Ruling.UNDECIDED])
def test_one_objection_is_enough(ruling):
    judged = report(Verdict(verifier="policy", ruling=ruling), passing_tests())
    assert not judged.passed
    assert not judged.verified
    assert judged.failure is judged.verdicts[0]


@pytest.mark.parametrize(
    ("verdicts", "headline"),
    [
        ([], "VERIFIED"),
        ([Verdict(verifier="forgery", ruling=Ruling.PASSED, assurance=APART)], "VERIFIED"),
        (
            [Verdict(verifier="forgery", ruling=Ruling.PASSED, assurance=f"{APART}; {TOGETHER} for 1 of 2 tests: x")],
            "VERIFIED",
        ),
        (
            [Verdict(verifier="forgery", ruling=Ruling.PASSED, assurance=f"{TOGETHER}: it forks")],
            "VERIFIED, NOT TRIED APART",
        ),
        (
            [Verdict(verifier="evidence", ruling=Ruling.PASSED, dependence=Dependence(noticed=1, idle=("a",)))],
            "VERIFIED",
        ),
        (
            [
                Verdict(
                    verifier="evidence", ruling=Ruling.PASSED, dependence=Dependence(noticed=0, reason="nobody looks")
                )
            ],
            "NOT VERIFIED: nobody looks",
        ),
        ([Verdict(verifier="policy", ruling=Ruling.FAILED)], "FAILED"),
        ([Verdict(verifier="criteria", ruling=Ruling.UNDECIDED)], "NOT VERIFIED"),
    ],
)
def test_headlines_say_no_more_than_evidence(verdicts, headline):
    judged = report(passing_tests(), *verdicts)
    assert judged.headline == headline
    assert judged.verified is headline.startswith("VERIFIED")


def test_the_caveat_gives_the_reason():
    assert report(SYNTAX).caveat == NO_TEST
    together = Verdict(verifier="forgery", ruling=Ruling.PASSED, assurance=f"{TOGETHER}: it forks")
    assert report(passing_tests(), together).caveat == "not tried apart from the tests: it forks"


def test_no_verdict_at_all_is_no_pass():
    assert not report().passed


def test_the_failure_is_the_first_objection():
    assert report(SYNTAX, failing_tests()).failure == failing_tests()
