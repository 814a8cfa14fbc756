"""docs/reference/messages.md: every model of the wire, field by field, and what it is for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from certo.protocol.schema import document
from certo.settings.documents import json_schema
from support.reference.markdown import code, page, table

Schema = Mapping[str, Any]

_INTRODUCTION = """\
[protocol.md](../../protocol.md) says when each message is sent, with examples; this page lists the fields.
`certo schema` prints the same as JSON Schema, and `certo schema --typescript` as types. A client ignores fields that it
does not know, because a later server may send more. A field that is not required may be left out, and then has its
default."""


def messages_page() -> str:
    """Return the tables of methods, commands, events and errors, then each model with its fields."""
    whole = document(json_schema())
    uses = whole["certo"]
    return page(
        "Messages",
        "the models of the wire",
        _INTRODUCTION,
        _methods(uses["methods"]),
        _commands(uses["commands"]),
        _events(uses["events"]),
        _errors(uses["errors"]),
        "## Models",
        *(_model(name, schema) for name, schema in whole["$defs"].items() if name != "Settings"),
    )


def _methods(methods: Mapping[str, Any]) -> str:
    rows = [
        (
            code(name),
            row["sender"],
            "notification" if row["notification"] else "request",
            _kind(row["params"]),
            _kind(row["result"]) if row["result"] else "",
        )
        for name, row in methods.items()
    ]
    return f"## Methods\n\n{table(('method', 'sent by', 'kind', 'params', 'result'), rows)}"


def _commands(commands: Mapping[str, Any]) -> str:
    rows = [(code(name), _kind(row["argument"]), _kind(row["answer"])) for name, row in commands.items()]
    return f"## Commands\n\n{table(('command', 'argument', 'answer'), rows)}"


def _events(events: Mapping[str, Any]) -> str:
    rows = [(code(name), _kind(schema)) for name, schema in events.items()]
    return f"## Events\n\n{table(('`type`', 'model'), rows)}"


def _errors(errors: Mapping[str, Any]) -> str:
    rows = [(code(name), str(row["code"])) for name, row in errors.items()]
    when = "[protocol.md](../../protocol.md#errors) says what each means, and when to ask again."
    return f"## Errors\n\n{when}\n\n{table(('error', 'code'), rows)}"


def _model(name: str, schema: Schema) -> str:
    parts = [f"### `{name}`", schema.get("description", "")]
    if fields := list(_fields(schema)):
        parts.append(table(("field", "type", "required", "notes"), fields))
    elif schema.get("type") == "object":
        parts.append("It has no fields.")
    else:
        parts.append(f"One of: {_kind(schema)}.")
    return "\n\n".join(filter(None, parts))


def _fields(schema: Schema) -> Iterator[tuple[str, str, str, str]]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        default = f" Default: {code(_json(field['default']))}." if field.get("default") is not None else ""
        yield code(name), _kind(field), "yes" if name in required else "no", field.get("description", "") + default


def _kind(schema: Schema) -> str:
    """Return the type of a value, with a link to each model in it."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return "[settings](settings.md)" if name == "Settings" else f"[`{name}`](#{name.lower()})"
    if "const" in schema:
        return code(_json(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(_json(value)) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(map(_kind, schema[several])))
    return _composed(schema)


def _composed(schema: Schema) -> str:
    """Return the type of a list, an object of any keys, or a plain value."""
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])}: {', '.join(map(_kind, schema['prefixItems']))}"
    match schema.get("type"):
        case "array":
            return f"list of {_kind(schema.get('items', {}))}"
        case "object":
            further = schema.get("additionalProperties", True)
            return f"object of {_kind(further)}" if isinstance(further, Mapping) else "object"
        case "null":
            return "`null`"
        case str(plain):
            return plain
    return "any value"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
