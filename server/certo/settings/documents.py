"""The settings in words: the table of docs/reference/settings.md, and the JSON schema with its descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any

from pydantic import TypeAdapter

from certo.settings.schema import GIVEN_NAME, NAME, Option, known_options


def descriptions() -> dict[str, str]:
    """Return the description of each setting, by its dotted name."""
    return {option.name: description(option) for option in known_options().values()}


def description(option: Option) -> str:
    """Return one to three sentences about a setting, made of what its field declares."""
    if option.group == ("models", NAME):
        return f"As `model.{option.path[-1]}`, for this model."
    is_reserved = option.info.owner == "user" and option.info.project_may is None
    return f"{option.info.description} Not allowed in a project's file." if is_reserved else option.info.description


def settings_table() -> str:
    """Return all settings as a Markdown table, for docs/reference/settings.md."""
    rows = [
        ("setting", "type", "default", "what it does"),
        ("---", "---", "---", "---"),
        *(
            (f"`{option.name}`", _type_in_words(option), _default_in_words(option), description(option))
            for option in known_options().values()
        ),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def json_schema() -> dict[str, Any]:
    """Return a JSON schema (draft 2020-12) of the settings as editors write them, in camelCase."""
    schema: dict[str, Any] = _empty_object()
    for option in known_options().values():
        *groups, last = option.wire_name.split(".")
        inner = schema
        for group in groups:
            if group == NAME:
                inner["propertyNames"] = {"pattern": f"^{GIVEN_NAME}$"}
                inner["additionalProperties"] = inner["additionalProperties"] or _empty_object()
                inner = inner["additionalProperties"]
            else:
                inner = inner["properties"].setdefault(group, _empty_object())
        inner["properties"][last] = option_schema(option)
        if option.default is MISSING:
            inner.setdefault("required", []).append(last)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "certo settings", **schema}


def option_schema(option: Option) -> dict[str, Any]:
    """Return the JSON schema of one setting."""
    adapter = TypeAdapter[Any](option.annotation)
    schema = {**adapter.json_schema(), "description": description(option)}
    return (
        schema if option.default is MISSING else {**schema, "default": adapter.dump_python(option.default, mode="json")}
    )


def _empty_object() -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": {}}


_TYPE_WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def _type_in_words(option: Option) -> str:
    schema = TypeAdapter(option.annotation).json_schema()
    kinds = [kind for kind in schema.get("anyOf", (schema,)) if kind.get("type") != "null"]
    parts = (*map(_kind_in_words, kinds), option.info.range_in_words, "or not set" if option.may_be_none else "")
    return ", ".join(filter(None, parts))


def _kind_in_words(kind: Mapping[str, Any]) -> str:
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"])
    if kind.get("type") == "array":
        return f"list of {_kind_in_words(kind['items'])}"
    return _TYPE_WORDS[kind["type"]]


def _default_in_words(option: Option) -> str:
    if option.default is None:
        return "not set"
    if option.default is MISSING:
        return "has to be set"
    return f"`{TypeAdapter[Any](option.annotation).dump_json(option.default).decode()}`"
