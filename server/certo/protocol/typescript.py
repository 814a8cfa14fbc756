"""The types of the protocol in TypeScript, made from its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

_HEAD = """\
// The protocol of certo, version {version}. Made by `certo schema --typescript`; what is changed here is lost.

/** The versions of the protocol that the server speaks. */
export const VERSIONS = {versions} as const;

/** The number of each error, by its name. */
export const ERRORS = {errors} as const;

/** The name of an error, as `Failure.name` has it; a later server may know more. */
export type ErrorName = keyof typeof ERRORS;
"""


def typescript(document: Mapping[str, Any]) -> str:
    """The module of types for a client, from the schema of the whole protocol."""
    uses = document["certo"]
    errors = {name: row["code"] for name, row in uses["errors"].items()}
    head = _HEAD.format(
        version=max(uses["versions"]),
        versions=json.dumps(uses["versions"]),
        errors=json.dumps(errors, indent=2).replace('"', ""),
    )
    parts = [
        head,
        _requests("ClientRequests", "What a client may ask.", uses, sender="client", notification=False),
        _requests("ClientNotifications", "What a client may tell.", uses, sender="client", notification=True),
        _requests("ServerRequests", "What the server may ask.", uses, sender="server", notification=False),
        _commands(uses["commands"]),
        *(_definition(name, schema) for name, schema in document["$defs"].items()),
    ]
    return "\n".join(parts)


def _requests(name: str, words: str, uses: Mapping[str, Any], *, sender: str, notification: bool) -> str:
    """An interface from the names of methods to the types of what crosses the wire under them."""
    rows = []
    for method, row in uses["methods"].items():
        if (row["sender"], row["notification"]) != (sender, notification):
            continue
        kinds = {kind: row[kind] for kind in ("params", "result", "refusal") if not (notification and kind != "params")}
        told = "; ".join(f"{kind}: {_type(schema, 1) if schema else 'null'}" for kind, schema in kinds.items())
        rows.append(f"  {json.dumps(method)}: {{ {told} }};\n")
    return f"/** {words} */\nexport interface {name} {{\n{''.join(rows)}}}\n"


def _commands(commands: Mapping[str, Any]) -> str:
    """An interface from the names of commands to their argument and their answer."""
    rows = [
        f"  {json.dumps(name)}: {{ argument: {_type(row['argument'], 1)}; answer: {_type(row['answer'], 1)} }};\n"
        for name, row in commands.items()
    ]
    return f"/** The commands of `workspace/executeCommand`. */\nexport interface Commands {{\n{''.join(rows)}}}\n"


def _definition(name: str, schema: Mapping[str, Any]) -> str:
    """One exported type: an interface where it is an object of known keys."""
    words = _comment(schema, "")
    if schema.get("type") == "object" and "properties" in schema:
        return f"{words}export interface {name} {_type(schema, 0)}\n"
    return f"{words}export type {name} = {_type(schema, 0)};\n"


def _type(schema: Mapping[str, Any], depth: int) -> str:
    """The type of what a schema allows, as far as TypeScript can say it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type(one, depth) for one in schema[several]))
    match schema.get("type"):
        case "array":
            return _array(schema, depth)
        case "object":
            return _object(schema, depth)
        case str(plain):
            return _PLAIN[plain]
        case _:
            return "unknown"


def _array(schema: Mapping[str, Any], depth: int) -> str:
    """A list, or a tuple where every place has a type of its own."""
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one, depth) for one in schema['prefixItems'])}]"
    each = _type(schema.get("items", {}), depth)
    return f"({each})[]" if "|" in each else f"{each}[]"


def _object(schema: Mapping[str, Any], depth: int) -> str:
    """An object of known keys, or a record of others."""
    if "properties" not in schema:
        further = schema.get("additionalProperties", True)
        return f"Record<string, {_type(further, depth) if isinstance(further, Mapping) else 'unknown'}>"
    if not schema["properties"] and isinstance(schema.get("additionalProperties"), Mapping):
        return f"Record<string, {_type(schema['additionalProperties'], depth)}>"
    return "{\n" + "".join(_fields(schema, depth + 1)) + "  " * depth + "}"


def _fields(schema: Mapping[str, Any], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, field in schema["properties"].items():
        key = name if name.isidentifier() else json.dumps(name)
        optional = "" if name in schema.get("required", ()) else "?"
        yield f"{_comment(field, indent)}{indent}{key}{optional}: {_type(field, depth)};\n"


def _comment(schema: Mapping[str, Any], indent: str) -> str:
    """Return the description of a schema as a comment on lines of its own."""
    words = str(schema.get("description", "")).replace("*/", "* /")
    if not words:
        return ""
    if "\n" not in words:
        return f"{indent}/** {words} */\n"
    lines = "".join(f"{indent} * {line}".rstrip() + "\n" for line in words.splitlines())
    return f"{indent}/**\n{lines}{indent} */\n"
