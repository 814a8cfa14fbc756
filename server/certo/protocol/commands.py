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
    """Which function: by position, by 1-based line, or by qualified name; `version` is that of the text looked at."""

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
    """What to generate, and where.

    `range` is what the user has selected in the function, if anything. `settings` count for this search only; in
    `background` it lets every search that is not go first. With `ask` the client has its user say an `instruction`
    first, and gives that.
    """

    instruction: str = ""
    range: Range | None = None
    settings: dict[str, Any] | None = None
    background: bool = False
    ask: Literal["instruction"] | None = None

    @model_validator(mode="after")
    def _asked(self) -> Self:
        if self.ask is not None and not self.instruction.strip():
            raise ValueError("ask the user for an instruction first, and give it as `instruction`")
        return self


class GenerateArguments(Wish):
    """What to generate, and where, of a command that shows what comes of it."""


class SearchArguments(Wire):
    """Which search."""

    v: Literal[1] = 1
    search_id: str


MAX_CHARACTERS = 10_000
"""How long may be what a user says of a candidate, or an example."""


class GivenExample(Wire):
    """An example of what the function has to do: a call, and the expression that it has to equal."""

    call: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    expected: str = Field(min_length=1, max_length=MAX_CHARACTERS)


class Again(Wire):
    """Which search to make once more, and what to do otherwise; what is left out stays as it was.

    `feedback` is about the candidate that is named, or else the one that is shown; `example` has to hold as if it stood
    in the docstring: a call and what it has to equal, the same as text, or the lines of a doctest. A candidate that is
    named is where the search goes on from.
    """

    v: Literal[1] = 1
    search_id: str
    feedback: str = Field(default="", max_length=MAX_CHARACTERS)
    example: GivenExample | Annotated[str, Field(max_length=MAX_CHARACTERS)] | None = None
    candidate_id: str | None = None
    instruction: str | None = None
    settings: dict[str, Any] | None = None


class RetryArguments(Again):
    """Which search to make once more, and how, of a command that shows what comes of it."""


class CandidateArguments(Wire):
    """Which candidate of which search; the one that is shown, when none is named."""

    v: Literal[1] = 1
    search_id: str
    candidate_id: str | None = None


AnswerWord = Literal[
    "running", "locating", "cancelled", "stopped", "accepting", "accepted", "shown", "dismissed", "failed"
]


class CommandAnswer(Wire):
    """What a command answers: how things stand now. What does not apply is left out.

    Where `state` is `failed`, `error` is a sentence about it, and `name` what the table of errors calls it.
    """

    state: AnswerWord
    search_id: str | None = None
    candidate_id: str | None = None
    error: str | None = None
    name: str | None = None


ARGUMENTS: Mapping[str, type[Wire]] = {
    "certo.generate": GenerateArguments,
    "certo.cancel": SearchArguments,
    "certo.accept": CandidateArguments,
    "certo.retry": RetryArguments,
    "certo.showDiff": CandidateArguments,
    "certo.dismiss": SearchArguments,
    "certo.next": SearchArguments,
}
"""What each command takes, by its name."""
