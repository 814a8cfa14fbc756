"""The arguments of our commands on the wire: each takes one object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from certo.protocol.wire import Wire


class Place(Wire):
    """A position as LSP has it: 0-based, in units of the negotiated encoding."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class Range(Wire):
    """A stretch of a document as LSP has it, its end not included."""

    start: Place
    end: Place


class TargetArguments(Wire):
    """The target: by position, by 1-based line, or by qualified name; `version` is that of the client's text."""

    v: Literal[1] = 1
    uri: str
    version: int | None = None
    position: Place | None = None
    line: int | None = Field(default=None, ge=1)
    qualname: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if sum(place is not None for place in (self.position, self.line, self.qualname)) != 1:
            raise ValueError("give one of position, line (1-based) or qualname")
        return self


class Wish(TargetArguments):
    """A request to generate: its target, and how to search.

    `range` is the user's selection in the function, if any. `settings` apply to this search only. In `background` it
    lets all other searches go first. With `ask` the client first asks its user for an `instruction`, and sends it. The
    `goal` follows from the tests and the instruction, unless the function is to be made `faster`. With `preserve` a
    candidate that acts otherwise than the text is refused. With `testsFirst` the search ends at once as
    `nothing-to-go-by` if no test reaches the function, so that the client can offer to write tests.
    """

    instruction: str = ""
    range: Range | None = None
    settings: dict[str, Any] | None = None
    background: bool = False
    ask: Literal["instruction"] | None = None
    goal: Literal["faster"] | None = None
    preserve: bool = False
    tests_first: bool = False

    @model_validator(mode="after")
    def _asked(self) -> Self:
        if self.ask is not None and not self.instruction.strip():
            raise ValueError("ask the user for an instruction first, and give it as `instruction`")
        return self


class GenerateArguments(Wish):
    """A request to generate, by a command that shows the result."""


class TestsArguments(TargetArguments):
    """The function that tests are written for, by a command that offers them as one edit.

    With `wait` it answers once the user has decided: `accepted`, or `dismissed` if nothing was added. Then a tick says
    that a test is right, and none is set at first. The tests are held against the revision `against`, if one is named.
    With `model`, the default language model proposes further tests.
    """

    __test__ = False

    wait: bool = False
    against: str = ""
    model: bool = False


MAX_TRACEBACK = 1_000_000
"""The most characters of a traceback."""


class CompareArguments(TargetArguments):
    """The function to compare with the last commit, by a command that shows the result."""


class TracebackArguments(Wire):
    """A traceback, by a command that repairs what it is about; the files are those below the client's folders."""

    v: Literal[1] = 1
    traceback: str = Field(min_length=1, max_length=MAX_TRACEBACK)


class MoreArguments(TargetArguments):
    """The function whose further actions are shown, by a command that runs the one the user chooses."""


class SearchArguments(Wire):
    """The id of a search."""

    v: Literal[1] = 1
    search_id: str


MAX_CHARACTERS = 10_000
"""The most characters of a user's feedback on a candidate, and of an example."""


class GivenExample(Wire):
    """An example of what the function has to do: a call, and the expression that it has to equal."""

    call: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    expected: str = Field(min_length=1, max_length=MAX_CHARACTERS)


class Again(Wire):
    """A search to repeat, and the changes to it; everything that is left out stays as it was.

    `feedback` is about the named candidate, or else the one that is shown. `example` must hold as if it stood in the
    docstring: a call and its expected value, the same as text, or the lines of a doctest. The search continues from
    the candidate that is named.
    """

    v: Literal[1] = 1
    search_id: str
    feedback: str = Field(default="", max_length=MAX_CHARACTERS)
    example: GivenExample | Annotated[str, Field(max_length=MAX_CHARACTERS)] | None = None
    candidate_id: str | None = None
    instruction: str | None = None
    settings: dict[str, Any] | None = None


class RetryArguments(Again):
    """A search to repeat, and the changes to it, by a command that shows the result."""


class CandidateArguments(Wire):
    """A candidate of a search; the one that is shown if none is named."""

    v: Literal[1] = 1
    search_id: str
    candidate_id: str | None = None


AnswerWord = Literal[
    "running",
    "locating",
    "cancelled",
    "stopped",
    "accepting",
    "accepted",
    "shown",
    "dismissed",
    "comparing",
    "failed",
]


class CommandAnswer(Wire):
    """The answer of a command: the state it leads to. Fields that do not apply are left out.

    If `state` is `failed`, `error` is a sentence about it, and `name` is its name in the table of errors.
    """

    state: AnswerWord
    search_id: str | None = None
    candidate_id: str | None = None
    error: str | None = None
    name: str | None = None


ARGUMENTS: Mapping[str, type[Wire]] = {
    "certo.generate": GenerateArguments,
    "certo.tests": TestsArguments,
    "certo.cancel": SearchArguments,
    "certo.accept": CandidateArguments,
    "certo.retry": RetryArguments,
    "certo.showDiff": CandidateArguments,
    "certo.dismiss": SearchArguments,
    "certo.next": SearchArguments,
    "certo.diff": CompareArguments,
    "certo.traceback": TracebackArguments,
    "certo.more": MoreArguments,
}
"""The arguments of each command, by its name."""
