"""How far a candidate got on the way to passing: what a search steers by where nothing better is measured."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from certo.vocabulary.problem import Baseline
from certo.vocabulary.score import Score
from certo.vocabulary.verdict import Report, Ruling, TestEvidence

TESTS_WEIGHT = 8.0
"""What a verifier that runs tests counts for, where one that reads counts 1."""

_RUN_TESTS = frozenset({"doctests", "tests"})


def headway(report: Report, verifiers: Sequence[str], baseline: Baseline) -> Score:
    """The share of its checks that a candidate passed, from 0 to 1, and 1 only for one that passes all.

    Each verifier counts for 1 and those that run tests for more; one that failed a candidate counts for the share of
    its tests that were green all the same. Tests that were red before count for as much together as those that were
    green, lest a change that changes nothing look as if it were nearly right.
    """
    weights = {name: TESTS_WEIGHT if name in _RUN_TESTS else 1.0 for name in verifiers}
    reached = 0.0
    for verdict in report.verdicts:
        weight = weights.setdefault(verdict.verifier, 1.0)
        if verdict.ruling is Ruling.PASSED:
            reached += weight
        elif verdict.tests is not None:
            reached += weight * _green(verdict.tests, baseline)
    share = reached / sum(weights.values()) if weights else 0.0
    return Score(value=round(min(share, 1.0), 6), unit="of 1", source="share of the checks that it passed")


def _green(evidence: TestEvidence, baseline: Baseline) -> float:
    """The share of tests that are green, red ones of before and green ones of before each taken together."""
    if not evidence.failing and not evidence.unrun:
        return evidence.passed / evidence.collected if evidence.collected else 0.0
    lost = {*evidence.failing, *evidence.unrun}
    kinds = [{test.id for test in tests} for tests in (baseline.failing, baseline.passing)]
    return _mean([_share(kind, lost) for kind in kinds if kind])


def _share(tests: Collection[str], lost: set[str]) -> float:
    return sum(test not in lost for test in tests) / len(tests)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0
