"""The arguments of our commands, checked before anything is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, model_validator
from pygls.exceptions import JsonRpcInvalidParams

from certo.protocol.wire import Wire


class Place(Wire):
    """A position as LSP has it: 0-based, in units of the negotiated encoding."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class GenerateArguments(Wire):
    """What to generate, and where: by position, by 1-based line, or by qualified name.

    `version` is the version of the document that was looked at, when it matters; `settings` count for this search only;
    in `background` it lets every search that is not go first.
    """

    v: Literal[1] = 1
    uri: str
    version: int | None = None
    position: Place | None = None
    line: int | None = Field(default=None, ge=1)
    qualname: str | None = Field(default=None, min_length=1)
    instruction: str = ""
    settings: dict[str, Any] | None = None
    background: bool = False

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if sum(place is not None for place in (self.position, self.line, self.qualname)) != 1:
            raise ValueError("give one of position, line (1-based) or qualname")
        return self


class SearchArguments(Wire):
    """Which search."""

    v: Literal[1] = 1
    search_id: str


class CandidateArguments(Wire):
    """Which candidate of which search; the one that is shown, when none is named."""

    v: Literal[1] = 1
    search_id: str
    candidate_id: str | None = None


SHOWN_CHARACTERS = 80
"""How much of a value that is wrong is shown."""

Checked = TypeVar("Checked", bound=Wire)


def check(command: str, kind: type[Checked], arguments: Sequence[object] | None) -> Checked:
    """Read the one object a command takes.

    Raises:
        JsonRpcInvalidParams: it is missing, malformed, or has something we do not know; the message names it.
    """
    if arguments is None or len(arguments) != 1 or not isinstance(arguments[0], dict):
        raise JsonRpcInvalidParams(f"{command} takes exactly one object as its argument")
    try:
        return kind.model_validate(arguments[0], by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        known = ", ".join(field.alias or name for name, field in kind.model_fields.items())
        if first["type"] == "extra_forbidden":
            raise JsonRpcInvalidParams(f"{command} has no argument {name!r}; it knows {known}") from error
        if first["type"] == "missing":
            raise JsonRpcInvalidParams(f"{command} needs the argument {name!r}") from error
        said = str(first["msg"]).removeprefix("Value error, ")
        where = f" argument {name!r} = {_short(first['input'])}:" if name else ""
        raise JsonRpcInvalidParams(f"{command}:{where} {said[:1].lower()}{said[1:]}") from error


def _short(value: object) -> str:
    """A value as it is shown in a message."""
    shown = repr(value)
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:SHOWN_CHARACTERS]}…"
