"""What the user says after having seen what a search came to: examples, and what is wrong with a candidate."""

from __future__ import annotations

from dataclasses import dataclass

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a user thinks of a candidate: `ruling` is accepted, undone, rejected or edited.

    A retry heeds what was rejected; undone is what had been accepted, and does not stand in the text any more.
    """

    candidate_id: str
    ruling: str
    note: str = ""


GIVEN = "example "
"""How the ids of examples begin that the user gave besides those in the docstring; their number follows."""


def is_given(test: str) -> bool:
    """Whether a test of this id is an example that the user gave."""
    return test.startswith(GIVEN) and test.removeprefix(GIVEN).isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Source to run, and what it must print, as in a doctest.

    `id` is that of its KnownTest: `doctest:<qualname>:<line>` when it stands in the target's docstring, `example 1` and
    so on when it was given besides. Where `equals` is set, `expected` is an expression that the value of the source has
    to equal, however either is printed.
    """

    id: str
    source: str
    expected: str
    equals: bool = False

    @property
    def is_given(self) -> bool:
        """Whether the user gave it, and it stands in no docstring."""
        return is_given(self.id)

    @property
    def sentence(self) -> str:
        """The example as one would write it: `total([1, 2]) == 3`, or the lines of a doctest."""
        if self.equals:
            return f"{self.source.strip()} == {self.expected.strip()}"
        first, *more = self.source.splitlines() or [""]
        return "\n".join([f">>> {first}", *(f"... {line}" for line in more), *self.expected.splitlines()])


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
