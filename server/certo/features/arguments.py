"""Arguments of certo's commands, checked before use."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError
from pygls.exceptions import JsonRpcInvalidParams

from certo.features.editor.session import EditorSession
from certo.protocol.methods import METHODS
from certo.protocol.wire import Wire

SHOWN_CHARACTERS = 80
"""Maximum length of a wrong value that is shown."""

Checked = TypeVar("Checked", bound=Wire)


def check(command: str, kind: type[Checked], arguments: Sequence[object] | None) -> Checked:
    """Return the one object that a command takes.

    Raises:
        JsonRpcInvalidParams: It is missing, malformed, or has unknown members; the message names it.
    """
    if arguments is None or len(arguments) != 1 or not isinstance(arguments[0], dict):
        raise JsonRpcInvalidParams(f"{command} takes exactly one object as its argument")
    return read(command, kind, arguments[0])


def read(command: str, kind: type[Checked], given: object) -> Checked:
    """Return the params of a command or method.

    Raises:
        JsonRpcInvalidParams: They are malformed or have unknown members; the message names it.
    """
    if not isinstance(given, dict):
        raise JsonRpcInvalidParams(f"{command} takes an object, not {_short(given)}")
    _refuse_half_characters(command, given)
    try:
        return kind.model_validate(given, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        known = ", ".join(field.alias or name for name, field in kind.model_fields.items())
        if first["type"] == "extra_forbidden":
            raise JsonRpcInvalidParams(f"{command} has no argument {name!r}; it knows {known}") from error
        if first["type"] == "missing":
            raise JsonRpcInvalidParams(f"{command} needs the argument {name!r}") from error
        said = str(first["msg"]).removeprefix("Value error, ")
        # pydantic's "tuple" was a list on the wire, and the name of the validator is of no interest.
        said = f"{said[:1].lower()}{said[1:]}".replace("tuple", "list").replace(" after validation", "")
        where = f" argument {name!r} = {_short(first['input'])}:" if name else ""
        raise JsonRpcInvalidParams(f"{command}:{where} {said}") from error


def _refuse_half_characters(command: str, given: object) -> None:
    """Refuse lone surrogates, which JSON allows where a text was cut but no Python text can be encoded with."""
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise JsonRpcInvalidParams(
            f"{command}: the arguments hold {half!r}, which is half a character; send it whole"
        ) from error


def _short(value: object) -> str:
    """Return a value shortened for a message."""
    shown = repr(value)
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:SHOWN_CHARACTERS]}…"


_ROWS = {method.name: method for method in METHODS}

Run = Callable[[EditorSession, Any], Awaitable[Wire | None]]
"""Handler of one method, from its params to its result."""


def answering(name: str, run: Run) -> Callable[[EditorSession, Any], Awaitable[Any]]:
    """Return the handler of one of certo's methods, taking the client's raw params."""
    params_of = _ROWS[name].params

    async def answer(desk: EditorSession, params: Any) -> Any:
        result = await run(desk, read(name, params_of, {} if params is None else params))
        return None if result is None else result.model_dump(mode="json", by_alias=True)

    return answer
