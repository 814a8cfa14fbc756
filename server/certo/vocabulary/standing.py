"""How a candidate that passed stands among the others that did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.difference import Difference
from certo.vocabulary.observation import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a candidate that passed stands among the others that did.

    As many as `agreeing` of them act alike, itself included. One that acts otherwise than the best is its rival:
    `difference` is a call for which it gives ours, and the best theirs. `observations` are what it gives for the calls
    by which all of them can be told apart. Where nobody knows how it acts, `uncompared` says why.
    """

    agreeing: int = 0
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    uncompared: str = ""

    def taken_by(self, candidate: Candidate) -> Candidate:
        """Return a candidate that stands so."""
        return replace(candidate, rival_of=self.rival_of, difference=self.difference, observations=self.observations)
