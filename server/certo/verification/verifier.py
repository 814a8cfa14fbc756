"""The verifier contract: one way of judging a candidate."""

from __future__ import annotations

from typing import Protocol

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Verdict


class Verifier(Protocol):
    """One way of judging.

    The same candidate gets the same ruling each time. A bad candidate is a FAILED verdict with findings that a
    generator can act on; a verifier that cannot judge says UNDECIDED and why. Only a broken world raises, and then one
    of our named errors. Cancelling `judge` leaves nothing running.
    """

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        ...

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Judge one candidate for one problem."""
        ...
