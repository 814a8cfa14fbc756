"""Outcomes of a search: a closed list whose values are sentences for the user."""

from __future__ import annotations

from enum import Enum

from certo.vocabulary.truth import NoTruthValue


class Outcome(NoTruthValue, Enum):
    """The reason a search ended; each value is the sentence that the user reads."""

    SOLVED = "A candidate passed every check."
    UNVERIFIED = "A candidate passed its checks, but no test is evidence for it, so it is not verified."
    NOTHING_TO_FIX = "Every test that reaches the target passes already, and no other change was requested."
    NOTHING_TO_GO_BY = "No test that reaches the target gave a result, so certo cannot tell what is wrong."
    EXHAUSTED = "The generator has no candidate to propose."
    ATTEMPTS_SPENT = "Every candidate failed its checks."
    BUDGET_SPENT = "The budget was spent before a candidate passed."
    CANCELLED = "The search was stopped."
    INTERRUPTED = "The search was interrupted: its process ended first."
    REFUSED = "The search is not possible as requested."
    WORLD_BROKEN = "The search could not run here."
    BROKEN = "The search met an internal error; the log has the details."

    @property
    def advice(self) -> str:
        """A sentence that says what may help next; empty if nothing would."""
        return _ADVICE.get(self, "")


_ADVICE = {
    Outcome.NOTHING_TO_FIX: "Describe the change in words, or give an example that does not hold yet.",
    Outcome.NOTHING_TO_GO_BY: "Add a test, give an example that must hold, or describe the change in words.",
    Outcome.EXHAUSTED: "Add a test, give an example of the result you want, or let a language model try.",
    Outcome.ATTEMPTS_SPENT: "Allow more candidates, or add a test or an example of the result you want.",
    Outcome.BUDGET_SPENT: "Allow more time, or more of the budget that ran out.",
    Outcome.CANCELLED: "Resume it or start it again; nothing was changed.",
    Outcome.INTERRUPTED: "Resume it or start it again; nothing was changed.",
    Outcome.WORLD_BROKEN: "Run `certo doctor`: it names what is missing and how to get it.",
}


PAUSES = frozenset({Outcome.BUDGET_SPENT, Outcome.CANCELLED, Outcome.INTERRUPTED, Outcome.WORLD_BROKEN})
"""Outcomes after which a search can be resumed: it was not done, and might still succeed."""
