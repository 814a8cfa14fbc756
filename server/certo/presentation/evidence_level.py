"""Wording of the level of evidence for a verified candidate, with the reason and the call that would settle it."""

from __future__ import annotations

from certo.vocabulary.display import amount, one_line
from certo.vocabulary.evidence_level import EvidenceLevel, GradedEvidence
from certo.vocabulary.verdict import Report


def level_in_words(graded: GradedEvidence | None) -> str:
    """Return the level and why, in a sentence; "" if there is none.

    "The evidence is weak: 2 other behaviours pass these tests. The right result of f([3, 1, 2]) would settle it."
    """
    if graded is None:
        return ""
    why = f": {'; '.join(graded.reasons)}" if graded.reasons else ""
    settled = f" The right result of `{graded.call}` would settle it." if graded.call else ""
    return one_line(f"The evidence is {graded.level.value}{why}.{settled}")


def level_in_short(report: Report) -> str:
    """Return the level in a word beside the number of tests; "" if there is none."""
    return report.graded.level.value if report.verified and report.graded is not None else ""


def tests_in_words(report: Report, passed: int) -> str:
    """Return the tests of a verified candidate as they are counted: "1 weak test", "7 tests"."""
    return amount(passed, "weak test" if report.is_weak else "test")


def verified_in_words(report: Report) -> str:
    """Return how a verified candidate is called among others: "verified by weak tests"."""
    level = level_in_short(report)
    verified = "verified" if level in ("", EvidenceLevel.FAIR.value) else f"verified by {level} tests"
    return f"{verified}, not tried apart" if report.caveat else verified
