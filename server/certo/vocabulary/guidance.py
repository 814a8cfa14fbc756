"""What the user says after having seen what a search came to: examples, and what is wrong with a candidate."""

from __future__ import annotations

from dataclasses import dataclass

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.example import Example
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A candidate of an earlier search that the user wants otherwise, what was said of it then, and what they say now.

    `candidate` is one over the text of the problem it is remarked in. `feedback` may be empty: then it is where to go
    on from, unless it was `rejected` altogether.
    """

    candidate: Candidate
    report: Report
    feedback: str = ""
    rejected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What a search has to go by besides the text, its tests and the instruction.

    `feedback` is about no candidate in particular. `examples` have to hold like those in the docstring. `remarks` are
    in the order they were made, and none of their candidates is wanted again.
    """

    feedback: str = ""
    examples: tuple[Example, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def start(self) -> Candidate | None:
        """The candidate to go on from: the last one that was not rejected."""
        return next((each.candidate for each in reversed(self.remarks) if not each.rejected), None)

    @property
    def prose(self) -> tuple[str, ...]:
        """All that is said in the user's own words."""
        return tuple(filter(None, [self.feedback, *(each.feedback for each in self.remarks)]))


UNGUIDED = Guidance()
"""The guidance of a search that nothing came before."""
