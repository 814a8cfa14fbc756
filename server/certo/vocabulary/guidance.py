"""A user's answers to the result of a search: examples, and remarks on candidates."""

from __future__ import annotations

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """A user's decision about a candidate: `ruling` is accepted, undone, rejected or edited.

    A retry takes rejections into account. A candidate is undone if it was accepted and is no longer in the text.
    """

    candidate_id: str
    ruling: str
    note: str = ""


GIVEN = "example "
"""The beginning of the ids of examples that users give in addition to the docstring's; their number follows."""


def is_given(test: str) -> bool:
    """True if a test of this id is an example that the user gave."""
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
        """True if the user gave it, and it is not from a docstring."""
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
    """The user's guidance for a search in addition to the text, its tests and the instruction.

    `feedback` is about no candidate in particular. `examples` must hold like those in the docstring. `remarks` are in
    the order in which they were made, and none of their candidates may be proposed again.
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
