"""Everything that crosses the wire as one JSON Schema: the models, and which of them goes under which name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, get_args

from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from certo.protocol.agreement import Agreement, Announcement, Asking
from certo.protocol.changed_functions import ChangedFunctionReport, ChangesReport
from certo.protocol.claims import CheckedVerdict
from certo.protocol.commands import ARGUMENTS, CommandAnswer
from certo.protocol.errors import CODES, RETRIABLE, Failure
from certo.protocol.events import AnyEvent, Event
from certo.protocol.methods import METHODS, Method
from certo.protocol.negotiation import VERSIONS
from certo.protocol.values import CurrentReport
from certo.protocol.wire import Wire

DIALECT = "https://json-schema.org/draft/2020-12/schema"

READ: Final[Literal["validation"]] = "validation"
"""The mode for models that we read: fields with a default may be left out."""

WRITTEN: Final[Literal["serialization"]] = "serialization"
"""The mode for models that we write."""

_DEFS = "#/$defs/"

_SNAKE = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
"""A name as Python writes it, in words about a model."""


class _Untitled(GenerateJsonSchema):
    """Without titles, which would only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        """Return False: no field gets its name as a title."""
        return False


def events() -> Mapping[str, type[Event]]:
    """Every event by the word in its `type`."""
    kinds: tuple[type[Event], ...] = get_args(get_args(AnyEvent)[0])
    return {get_args(kind.model_fields["type"].annotation)[0]: kind for kind in kinds}


def document(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of the whole protocol; `settings` is that of the settings, as editors write them.

    Under `$defs` stand all models, in the order of their names. Under `certo` stands what the models are for, in the
    order of the tables. What only the server sends may have further keys one day, and is open to them here.
    """
    read = [(kind, READ) for kind in dict.fromkeys(_from_client())]
    written = [(kind, WRITTEN) for kind in dict.fromkeys(_from_server())]
    references, whole = models_json_schema([*read, *written], schema_generator=_Untitled)
    definitions: dict[str, Any] = whole["$defs"]
    closed = set(_reached(definitions, [_name(references[key]) for key in read]))
    for name in set(definitions) - closed:
        definitions[name].pop("additionalProperties", None)
    definitions["AnyEvent"] = {
        "description": "Any event, told apart by its `type`.",
        "oneOf": [references[kind, WRITTEN] for kind in events().values()],
    }
    definitions["Settings"] = {"description": "The settings, as an editor writes them.", **settings}
    return {
        "$schema": DIALECT,
        "$id": f"urn:certo:protocol:{max(VERSIONS)}",
        "title": "The protocol of certo",
        "certo": _uses(references),
        "$defs": {name: _told(definitions[name]) for name in sorted(definitions)},
    }


def _uses(references: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the uses of the models, each named by its reference."""

    def method(row: Method) -> dict[str, Any]:
        asked, answered = (READ, WRITTEN) if row.sender == "client" else (WRITTEN, READ)
        refusal = references.get((row.refusal, READ)) if row.sender == "server" else references[Failure, WRITTEN]
        return {
            "sender": row.sender,
            "notification": row.notification,
            "params": references[row.params, asked],
            "result": None if row.result is None else references[row.result, answered],
            "refusal": None if row.notification else refusal,
        }

    return {
        "versions": list(VERSIONS),
        "asking": references[Asking, READ],
        "agreement": references[Agreement, WRITTEN],
        "announcement": references[Announcement, WRITTEN],
        "methods": {row.name: method(row) for row in METHODS},
        "commands": {
            name: {"argument": references[kind, READ], "answer": references[CommandAnswer, WRITTEN]}
            for name, kind in ARGUMENTS.items()
        },
        "events": {word: references[kind, WRITTEN] for word, kind in events().items()},
        "errors": {name: {"code": code, "retriable": name in RETRIABLE} for name, code in CODES.items()},
        "settings": {"$ref": f"{_DEFS}Settings"},
    }


def _from_client() -> Iterator[type[Wire]]:
    """Return the models that a client writes."""
    yield Asking
    yield from ARGUMENTS.values()
    for method in METHODS:
        kinds = (method.params,) if method.sender == "client" else (method.result, method.refusal)
        yield from (kind for kind in kinds if kind is not None)


def _from_server() -> Iterator[type[Wire]]:
    """Return the models that the server writes."""
    yield from (Agreement, Announcement, ChangedFunctionReport, ChangesReport, CheckedVerdict, CommandAnswer)
    yield from (CurrentReport, Failure)
    yield from events().values()
    for method in METHODS:
        kind = method.params if method.sender == "server" else method.result
        if kind is not None:
            yield kind


def _reached(definitions: Mapping[str, Any], names: list[str]) -> Iterator[str]:
    """The definitions of these names, and those they refer to."""
    seen: set[str] = set()
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            yield name
            names.extend(_named_in(definitions[name]))


def _named_in(schema: object) -> Iterator[str]:
    """The definitions that a schema refers to."""
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield _name({"$ref": reference})
    inner = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    for part in inner:
        yield from _named_in(part)


def _name(reference: Mapping[str, str]) -> str:
    """The definition that is referred to."""
    return reference["$ref"].removeprefix(_DEFS)


def _told(definition: Mapping[str, Any]) -> dict[str, Any]:
    """A definition without its title, and described by the names that cross the wire, in lines as long as they are."""
    told = {name: part for name, part in definition.items() if name not in ("$schema", "title")}
    if "description" in told:
        paragraphs = re.sub(r"(?<!\n)\n(?!\n)", " ", told["description"])
        told["description"] = _SNAKE.sub(lambda found: f"`{to_camel(found[1])}`", paragraphs)
    return told
