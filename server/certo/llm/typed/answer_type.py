"""What an answer has to be: a type or a JSON schema, and how an answer's text is read as one."""

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
"""How many places of an answer in prose are tried as the beginning of the JSON text that is hidden in it."""

_WRAPPED = "value"


class AnswerMismatch(ValueError):
    """An answer that is not of its shape; the message tells the model what is wrong with it."""


class AnswerType:
    """What an answer has to be: a pydantic model, any type pydantic reads, or a JSON schema.

    `own` is its JSON schema. `schema` is the one to ask with, always that of an object, for some servers take no other:
    what is none is asked for as its member "value". `name` says in one identifier what it describes.
    """

    def __init__(self, wanted: Any) -> None:
        """Take the shape from a type, or from a JSON schema, whose answers are plain values then.

        Raises:
            BadSetting: it is neither, or says what certo cannot check.
        """
        self._plain = isinstance(wanted, Mapping)
        if inspect.isroutine(wanted):
            # Pydantic would read the arguments of a call of it.
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
        """The value an answer's text stands for.

        The text may be the JSON itself, in a fence, or between sentences; the value may stand alone or be the member
        "value". What does not fit is never made to: only where any text is wanted may the answer be no JSON at all.

        Raises:
            Misfit: no part of the text is of this shape; the message says what is wrong with the first one.
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
        """The value that plain data from elsewhere stands for.

        Raises:
            Misfit: it is not of this shape.
        """
        try:
            return self._result(self._adapter.validate_json(json.dumps(value, allow_nan=False)))
        except ValidationError as error:
            raise AnswerMismatch(_reasons(error)) from error
        except (TypeError, ValueError) as error:
            raise AnswerMismatch(f"it cannot be written as JSON: {error}") from error

    def plain(self, value: Any) -> Any:
        """A value of this shape as plain data, which is what crosses to another process.

        Raises:
            Misfit: it is not of this shape.
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
        """Values of a JSON schema are plain data; those of a type are what the type makes of them."""
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
    """A schema whose objects have every member they name and no other, which is all that servers in strict mode take.

    A member that may be left out is asked for all the same; what it is when left out is not said.
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
    """The JSON values of a text, the likeliest first: the whole, what is fenced, what begins somewhere in it."""
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
    """What is wrong, a place and a reason each; at most the first five."""
    found = error.errors(include_url=False, include_context=False)
    told = [f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}" for each in found[:5]]
    return "; ".join(told)
