"""A difference between two candidates: what an input tells that the checks did not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A call, and what comes of it in the one candidate and in the other, in words."""

    call: str
    ours: str
    theirs: str

    @property
    def turned(self) -> Difference:
        """The same as it is seen from the other candidate."""
        return Difference(call=self.call, ours=self.theirs, theirs=self.ours)
