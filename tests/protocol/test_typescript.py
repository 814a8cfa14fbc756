"""The types for TypeScript: what each kind of schema becomes."""

from __future__ import annotations

from typing import Any

import pytest

from certo.protocol.schema import document
from certo.protocol.typescript import typescript
from certo.settings.documents import json_schema

MADE = typescript(document(json_schema()))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, "export type T = number;"),
        ({"anyOf": [{"$ref": "#/$defs/Other"}, {"type": "null"}]}, "export type T = Other | null;"),
        ({"enum": ["a", "b"]}, 'export type T = "a" | "b";'),
        ({"type": "array", "items": {"enum": [1, 2]}}, "export type T = (1 | 2)[];"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
            "export type T = [string, number];",
        ),
        ({"type": "array"}, "export type T = unknown[];"),
        ({"type": "object"}, "export type T = Record<string, unknown>;"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "export type T = Record<string, boolean>;"),
        (
            {"type": "object", "required": ["a"], "properties": {"a": {"const": "x"}, "b-c": {"type": "string"}}},
            'export interface T {\n  a: "x";\n  "b-c"?: string;\n}',
        ),
        ({"type": "string", "description": "Ends */ here."}, "/** Ends * / here. */\nexport type T = string;"),
        ({"type": "null", "description": "One.\n\nTwo."}, "/**\n * One.\n *\n * Two.\n */\nexport type T = null;"),
    ],
)
def test_a_schema_becomes_a_type(schema: dict[str, Any], expected: str) -> None:
    nothing = {"versions": [1], "errors": {}, "methods": {}, "commands": {}}
    assert typescript({"certo": nothing, "$defs": {"T": schema}}).endswith(f"\n{expected}\n")


def test_every_definition_is_exported_once() -> None:
    whole = document(json_schema())
    for name in whole["$defs"]:
        assert MADE.count(f"export interface {name} ") + MADE.count(f"export type {name} =") == 1, name


def test_methods_lead_to_their_types() -> None:
    assert '  "certo/model/ask": { params: ModelQuestion; result: ModelAnswer; refusal: ModelRefusal };' in MADE
    assert '  "certo/model/delta": { params: ModelDelta };' in MADE
    assert '  "certo.cancel": { argument: SearchArguments; answer: CommandAnswer };' in MADE
