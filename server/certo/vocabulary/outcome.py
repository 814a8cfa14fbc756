"""Why a search stopped: a closed list whose values are the sentences the user reads."""

from __future__ import annotations

from enum import Enum

from certo.vocabulary.truth import NoTruthValue


class Outcome(NoTruthValue, Enum):
    """Why a search stopped; each value is the sentence the user reads."""

    SOLVED = "A candidate passed every check."
    UNVERIFIED = "A candidate passed its checks, but no test is evidence for it: it is not verified."
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

    @property
    def advice(self) -> str:
        """What may help next, in a sentence that is the same wherever it is read; "" where nothing would."""
        return _ADVICE.get(self, "")


_ADVICE = {
    Outcome.NOTHING_TO_FIX: "Say in words what to change, or give an example of what does not hold yet.",
    Outcome.NOTHING_TO_GO_BY: "Add a test, give an example of what has to hold, or say in words what to change.",
    Outcome.EXHAUSTED: "Add a test, give an example of what is wanted, or let a language model try.",
    Outcome.ATTEMPTS_SPENT: "Allow more candidates, or add a test or an example that shows what is wanted.",
    Outcome.BUDGET_SPENT: "Allow more time, or more of what the budget ran out of.",
    Outcome.CANCELLED: "Resume it, or start it again, when you like; nothing was changed.",
    Outcome.INTERRUPTED: "Resume it, or start it again; nothing was changed.",
    Outcome.WORLD_BROKEN: "Certo's doctor says what is missing and how to get it.",
}


PAUSES = frozenset({Outcome.BUDGET_SPENT, Outcome.CANCELLED, Outcome.INTERRUPTED, Outcome.WORLD_BROKEN})
"""Ends after which a search can go on where it was: it was not done, and nothing said that it never would be."""
