"""A candidate's progress: the share of its checks, and of tests that were red and green before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.search.scoring import progress_score
from certo.vocabulary.problem import Baseline, KnownTest
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence, Verdict

pytestmark = pytest.mark.acceptance(57)

VERIFIERS = ("syntax", "tests", "lint")


def suite(red: int, green: int) -> Baseline:
    tests = [KnownTest(id=f"r{n}", ruling=Ruling.FAILED) for n in range(red)]
    tests += [KnownTest(id=f"g{n}", ruling=Ruling.PASSED) for n in range(green)]
    return Baseline(tests=tuple(tests))


def ran(baseline: Baseline, failing: tuple[str, ...]) -> Verdict:
    total = len(baseline.tests)
    evidence = TestEvidence(
        collected=total, ran=total, passed=total - len(failing), failed=len(failing), skipped=0, failing=failing
    )
    return Verdict(verifier="tests", ruling=Ruling.FAILED if failing else Ruling.PASSED, tests=evidence)


def scored(baseline: Baseline, *verdicts: Verdict) -> float:
    return progress_score(Report(candidate_id="c", verdicts=verdicts), VERIFIERS, baseline).value


SYNTAX = Verdict(verifier="syntax", ruling=Ruling.PASSED)
LINT = Verdict(verifier="lint", ruling=Ruling.PASSED)


def test_progress_goes_from_parsing_to_passing():
    """A candidate that does not parse has 0, one that passes everything 1."""
    baseline = suite(1, 3)
    assert scored(baseline, replace(SYNTAX, ruling=Ruling.FAILED)) == 0
    assert scored(baseline, SYNTAX, ran(baseline, ()), LINT) == 1


def test_empty_change_is_not_nearly_right():
    """Most tests pass with it."""
    baseline = suite(1, 99)
    unchanged = scored(baseline, SYNTAX, ran(baseline, ("r0",)))
    breaks_one = scored(baseline, SYNTAX, ran(baseline, ("g0",)))
    assert unchanged == pytest.approx((1 + 8 * 0.5) / 10)
    assert breaks_one > unchanged


@given(st.integers(1, 6), st.integers(0, 6), st.data())
def test_one_test_more_is_never_worse(red: int, green: int, data: st.DataObject):
    baseline = suite(red, green)
    failing = data.draw(st.lists(st.sampled_from([test.id for test in baseline.tests]), min_size=1, unique=True))
    before = scored(baseline, SYNTAX, ran(baseline, tuple(failing)))
    after = scored(baseline, SYNTAX, ran(baseline, tuple(failing[1:])))
    assert 0 <= before < after <= 1


def test_the_direction_counts_in_one_place():
    assert Score(value=2.0, unit="s", source="timed", maximize=False).merit == -2.0
    assert Score(value=2.0, unit="s", source="timed").merit == 2.0
