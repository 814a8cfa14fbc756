"""What has become of a candidate so far, in a word and a sign, as the editor has them."""

from __future__ import annotations

from enum import Enum

from certo.search.board import Row
from certo.vocabulary.verdict import Ruling


class Standing(Enum):
    """What has become of a candidate; each value is how the user reads it."""

    VERIFIED = "verified"
    NOT_APART = "verified, not tried apart"
    UNVERIFIED = "not verified"
    FAILED = "failed"
    UNDECIDED = "undecided"
    JUDGING = "being checked"
    LEFT = "left unchecked"

    @property
    def sign(self) -> str:
        """Its sign; those that differ in what they call for differ in shape, so they read without colour."""
        return _SIGNS[self]


_SIGNS = {
    Standing.VERIFIED: "✓",
    Standing.NOT_APART: "✓",
    Standing.UNVERIFIED: "?",
    Standing.FAILED: "✗",
    Standing.UNDECIDED: "?",
    Standing.JUDGING: "…",
    Standing.LEFT: "–",
}


def standing_of(row: Row, *, over: bool) -> Standing:
    """How a candidate stands; only what some test has exercised is verified.

    Where the search is `over`, one that was not judged to the end never will be.
    """
    if not row.scored:
        return Standing.LEFT if over else Standing.JUDGING
    if row.passed:
        if not row.verified:
            return Standing.UNVERIFIED
        return Standing.NOT_APART if row.caveat else Standing.VERIFIED
    failed = any(verdict.ruling is Ruling.FAILED for verdict in row.verdicts)
    return Standing.FAILED if failed else Standing.UNDECIDED
