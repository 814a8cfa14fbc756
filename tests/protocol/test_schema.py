"""The printed schema by another's reading of it: it is sound, complete, and fits what crosses the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from certo.features.lsp.commands import COMMANDS
from certo.protocol.commands import ARGUMENTS
from certo.protocol.events import Event, encode
from certo.protocol.methods import METHODS
from certo.protocol.negotiation import VERSIONS
from certo.protocol.schema import document
from certo.settings.documents import json_schema
from support.lsp.wire_models import wire_models
from support.search.events import told

WHOLE = document(json_schema())
PROTOCOL = (Path(__file__).parents[2] / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```", PROTOCOL, re.MULTILINE | re.DOTALL)

SENT = {row["params"]["$ref"] for row in WHOLE["certo"]["methods"].values() if row["sender"] == "client"}
SENT |= {row["argument"]["$ref"] for row in WHOLE["certo"]["commands"].values()}
WRITTEN_BY_CLIENTS = [(model, example) for model, example in EXAMPLES if f"#/$defs/{model}" in SENT]
OPEN = {"settings"}
"""Keys whose value is checked elsewhere."""


def errors(name: str, value: Any) -> list[str]:
    """What the definition of that name has against a value."""
    schema = {"$defs": WHOLE["$defs"], "$ref": f"#/$defs/{name}"}
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def references(part: object) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if "$ref" in part else set()
        return own.union(*(references(inner) for inner in part.values()))
    return set().union(*(references(inner) for inner in part)) if isinstance(part, list) else set()


def test_the_schema_is_valid_without_dangling_references() -> None:
    Draft202012Validator.check_schema(WHOLE)
    assert references(WHOLE) <= {f"#/$defs/{name}" for name in WHOLE["$defs"]}
    assert WHOLE["$id"] == f"urn:certo:protocol:{max(VERSIONS)}"


def test_it_is_the_same_each_time() -> None:
    assert json.dumps(document(json_schema())) == json.dumps(WHOLE)
    assert list(WHOLE["$defs"]) == sorted(WHOLE["$defs"])


def test_every_model_is_in_it() -> None:
    shared = {kind.__name__ for kind in wire_models().values() if kind.__subclasses__()}
    described = {name.removesuffix("-Input").removesuffix("-Output") for name in WHOLE["$defs"]}
    assert described - {"AnyEvent", "Settings"} == set(wire_models()) - shared
    assert shared >= {Event.__name__}


def test_every_method_and_command_is_in_it() -> None:
    assert list(WHOLE["certo"]["methods"]) == [method.name for method in METHODS]
    assert list(WHOLE["certo"]["commands"]) == list(COMMANDS)
    assert {name: command.argument for name, command in COMMANDS.items()} == ARGUMENTS


@pytest.mark.parametrize("event", told(), ids=lambda event: event.type)
def test_an_event_fits(event: Any) -> None:
    sent = json.loads(json.dumps(encode(event)))
    assert errors("AnyEvent", sent) == []
    assert errors("AnyEvent", sent | {"seq": "first"}) != []
    assert errors("AnyEvent", sent | {"new": True}) == [], "what only the server sends may be added to"


@pytest.mark.parametrize(("model", "example"), EXAMPLES, ids=[model for model, _ in EXAMPLES])
def test_an_example_fits(model: str, example: str) -> None:
    assert errors(model, json.loads(example)) == []


def test_client_messages_allow_no_unknown_keys() -> None:
    assert errors("SearchArguments", {"searchId": "x"}) == []
    assert errors("SearchArguments", {"searchId": "x", "mood": "good"}) != []
    assert errors("Asking", {"certo": {"versions": [1], "mood": "good"}}) == [], "what is not known here is passed over"


def spoilt(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An example with one thing wrong, for each of its keys."""
    yield {**example, "mood": "good"}
    for key, value in example.items():
        yield {name: part for name, part in example.items() if name != key}
        yield {**example, key: {"neither": ["this", "nor", "that"]}}
        for worse in spoilt(value) if isinstance(value, dict) and key not in OPEN else ():
            yield {**example, key: worse}


@pytest.mark.parametrize(("model", "example"), WRITTEN_BY_CLIENTS, ids=[model for model, _ in WRITTEN_BY_CLIENTS])
def test_what_the_schema_refuses_is_refused(model: str, example: str) -> None:
    refused = [wrong for wrong in spoilt(json.loads(example)) if errors(model, wrong)]
    assert refused
    for wrong in refused:
        with pytest.raises(ValidationError):
            wire_models()[model].model_validate(wrong, by_alias=True, by_name=False)


def test_descriptions_use_the_names_on_the_wire() -> None:
    described = json.dumps({name: part.get("description") for name, part in WHOLE["$defs"].items()})
    fields = {field for kind in wire_models().values() for field in kind.model_fields if "_" in field}
    assert [field for field in fields if f"`{field}`" in described] == []


def test_settings_are_in_it() -> None:
    assert errors("Settings", {"search": {"seconds": 20}}) == []
    assert errors("Settings", {"search": {"seconds": "long"}}) != []
