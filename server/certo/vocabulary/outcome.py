"""Why a search stopped: a closed list whose values are the sentences the user reads."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Why a search stopped; each value is the sentence the user reads."""

    SOLVED = "A candidate passed every check."
    UNVERIFIED = "A candidate passed, but no test exercised it: it is not verified."
    NOTHING_TO_FIX = "Every test that reaches the target passes already; nothing was asked for."
    NOTHING_TO_GO_BY = "No test that reaches the target gave a result, so nothing says what would be wrong."
    EXHAUSTED = "The generator had nothing left to try."
    ATTEMPTS_SPENT = "Every attempt failed its checks."
    BUDGET_SPENT = "The budget was spent before a candidate passed."
    CANCELLED = "The search was cancelled."
    INTERRUPTED = "The search was interrupted: its process ended before it did."
    REFUSED = "The search cannot be made as it was asked for."
    WORLD_BROKEN = "The search could not run here."
    BROKEN = "The search met a bug of certo's own; the log has the details."


PAUSES = frozenset({Outcome.BUDGET_SPENT, Outcome.CANCELLED, Outcome.INTERRUPTED, Outcome.WORLD_BROKEN})
"""Ends after which a search can go on where it was: it was not done, and nothing said that it never would be."""
