"""Type or JSON schema of an answer, and parsing of an answer's text into a value of it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from certo.llm.typed.json_schema import type_of
from certo.vocabulary.errors import BadSetting

_FENCED = re.compile(r"(?:```|~~~)[^\n`~]*+\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)

_STARTS = 16
"""Maximum number of positions at which JSON is looked for in an answer in prose."""

_WRAPPED = "value"


class AnswerMismatch(ValueError):
    """An answer that does not match its type; the message tells the model why."""


class AnswerType:
    """Type of an answer: a pydantic model, any type that pydantic reads, or a JSON schema.

    `own` is its JSON schema. `schema` is the one sent to the server, always of an object because some servers accept
    nothing else: any other value becomes its member "value". `name` describes it as an identifier.
    """

    def __init__(self, wanted: Any) -> None:
        """Take the type itself, or a JSON schema, whose values are then plain data.

        Raises:
            BadSetting: It is neither, or uses a keyword certo cannot check.
        """
        self._plain = isinstance(wanted, Mapping)
        if inspect.isroutine(wanted):
            # Pydantic would validate the arguments of a call of it.
            raise BadSetting(f"{wanted!r} is a function; an answer is checked against a type or a JSON schema")
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(type_of(wanted) if self._plain else wanted)
            own = dict(wanted) if self._plain else self._adapter.json_schema()
        except (PydanticUserError, TypeError) as error:
            reason = str(error).splitlines()[0]
            raise BadSetting(f"{wanted!r} is nothing an answer can be checked against: {reason}") from error
        self._is_text = own.get("type") == "string" and "enum" not in own and not self._plain
        self._wrapped = own.get("type") != "object"
        self.own = own
        self.schema: Mapping[str, Any] = closed(_wrap(own) if self._wrapped else own)
        self.name = re.sub(r"\W", "_", str(own.get("title", "answer")))[:60] or "answer"

    def read(self, text: str) -> Any:
        """Return the value in an answer's text.

        The text may be the JSON itself, in a fence, or between sentences; the value may stand alone or be the member
        "value". Values are never coerced to fit; text that is not JSON is accepted only if the type is text.

        Raises:
            AnswerMismatch: No part of the text matches; the message is about the first candidate.
        """
        wrong: list[str] = []
        for part in _parts(text):
            for value in self._unwrapped(part):
                try:
                    return self._result(self._adapter.validate_json(json.dumps(value)))
                except ValidationError as error:
                    wrong.append(_reasons(error))
        if self._is_text and text.strip() and not wrong:
            return self._result(self._checked_text(text.strip()))
        raise AnswerMismatch(wrong[0] if wrong else "it holds no JSON")

    def check(self, value: Any) -> Any:
        """Return the typed value of plain data.

        Raises:
            AnswerMismatch: It does not match.
        """
        try:
            return self._result(self._adapter.validate_json(json.dumps(value, allow_nan=False)))
        except ValidationError as error:
            raise AnswerMismatch(_reasons(error)) from error
        except (TypeError, ValueError) as error:
            raise AnswerMismatch(f"it cannot be written as JSON: {error}") from error

    def plain(self, value: Any) -> Any:
        """Return a value as plain data, for transfer to another process.

        Raises:
            AnswerMismatch: It does not match.
        """
        try:
            checked = self._adapter.validate_python(value)
            return json.loads(self._adapter.dump_json(checked, by_alias=True, exclude_unset=self._plain))
        except ValidationError as error:
            raise AnswerMismatch(_reasons(error)) from error

    def _unwrapped(self, part: Any) -> Iterator[Any]:
        if self._wrapped and isinstance(part, dict) and set(part) == {_WRAPPED}:
            yield part[_WRAPPED]
        else:
            yield part

    def _checked_text(self, text: str) -> Any:
        try:
            return self._adapter.validate_python(text)
        except ValidationError as error:
            raise AnswerMismatch(_reasons(error)) from error

    def _result(self, value: Any) -> Any:
        """Return plain data for a JSON schema, and the type's own value for a type."""
        if self._plain:
            return json.loads(self._adapter.dump_json(value, by_alias=True, exclude_unset=True))
        return value


def _wrap(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    wrapped = {
        "type": "object",
        "properties": {_WRAPPED: inner},
        "required": [_WRAPPED],
        "additionalProperties": False,
    }
    return {**wrapped, "$defs": schema["$defs"]} if "$defs" in schema else wrapped


def closed(schema: Any) -> Any:
    """Return a schema whose objects require every named member and allow no other, as strict servers demand.

    Optional members are therefore requested as well; their defaults are not mentioned.
    """
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    said = {
        key: {name: closed(each) for name, each in value.items()} if key in ("properties", "$defs") else closed(value)
        for key, value in schema.items()
        if key != "default"
    }
    if "properties" in schema:
        said |= {"required": list(schema["properties"]), "additionalProperties": False}
    return said


def _parts(text: str) -> Iterator[Any]:
    """Yield the JSON values of a text, the likeliest first: the whole, fenced parts, then any position."""
    for candidate in (text, *_FENCED.findall(text)):
        try:
            yield json.loads(candidate.strip(), parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
    decoder = json.JSONDecoder(parse_constant=_no_number)
    at, tried = 0, 0
    while tried < _STARTS and (found := re.compile(r"[{\[]").search(text, at)):
        tried, at = tried + 1, found.end()
        try:
            value, at = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        yield value


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _reasons(error: ValidationError) -> str:
    """Return up to five validation errors, each with its place."""
    found = error.errors(include_url=False, include_context=False)
    told = [f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}" for each in found[:5]]
    return "; ".join(told)
