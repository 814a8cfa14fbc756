"""Verified means: every verifier passed, some test ran, and it was seen to execute a changed line."""

from __future__ import annotations

import pytest

from certo.vocabulary.verdict import Report, Ruling, Verdict
from support.candidates import failing_tests, passing_tests

SYNTAX = Verdict(verifier="syntax", ruling=Ruling.PASSED)


def report(*verdicts: Verdict) -> Report:
    return Report(candidate_id="c1", verdicts=verdicts)


def test_passing_tests_that_touch_the_change_verify():
    assert report(SYNTAX, passing_tests()).verified


@pytest.mark.parametrize("touched", [False, None])
def test_tests_not_seen_to_touch_the_change_do_not_verify(touched):
    judged = report(SYNTAX, passing_tests(touched=touched))
    assert judged.passed
    assert not judged.verified


def test_no_tests_do_not_verify():
    assert report(SYNTAX).passed
    assert not report(SYNTAX).verified


def test_a_test_verdict_of_no_tests_does_not_verify():
    assert not report(passing_tests(passed=0)).verified


@pytest.mark.parametrize("ruling", [Ruling.FAILED, Ruling.UNDECIDED])
def test_one_objection_is_enough(ruling):
    judged = report(Verdict(verifier="policy", ruling=ruling), passing_tests())
    assert not judged.passed
    assert not judged.verified
    assert judged.failure is judged.verdicts[0]


def test_no_verdict_at_all_is_no_pass():
    assert not report().passed


def test_the_failure_is_the_first_objection():
    assert report(SYNTAX, failing_tests()).failure == failing_tests()
