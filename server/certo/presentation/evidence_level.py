"""Wording of the level of evidence for a verified candidate, with the reason and the call that would settle it."""

from __future__ import annotations

from certo.vocabulary.display import amount, one_line
from certo.vocabulary.verdict import Report

_MAX_CALL = 120
"""Maximum number of characters of a call that are shown; `--json` has all of it."""


def level_in_words(report: Report) -> str:
    """Return the level and why, in a sentence; "" if there is none.

    "The evidence is weak: 2 other behaviours pass these tests. The right result of f([3, 1, 2]) would settle it."
    """
    graded = report.graded
    if not report.verified or graded is None:
        return ""
    why = f": {'; '.join(graded.reasons)}" if graded.reasons else ""
    call = one_line(graded.call)
    shown = call if len(call) <= _MAX_CALL else f"{call[: _MAX_CALL - 1]}…"
    settled = f" The right result of `{shown}` would settle it." if call else ""
    return one_line(f"The evidence is {graded.level.value}{why}.{settled}")


def level_in_short(report: Report) -> str:
    """Return the level in a word beside the number of tests; "" if there is none."""
    return report.graded.level.value if report.verified and report.graded is not None else ""


def tests_in_words(report: Report, passed: int) -> str:
    """Return the tests of a verified candidate as they are counted: "1 weak test", "7 tests"."""
    return amount(passed, "weak test" if report.is_weak else "test")


def verified_in_words(report: Report) -> str:
    """Return how a verified candidate is called among others: "verified by weak tests"."""
    verified = "verified by weak tests" if report.is_weak else "verified"
    return f"{verified}, not tried apart" if report.caveat else verified
