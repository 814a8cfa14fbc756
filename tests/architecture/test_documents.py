"""protocol.md and the architecture page agree with the code."""

from __future__ import annotations

import json
import re
import tomllib
from enum import Enum
from itertools import pairwise
from pathlib import Path

import pytest

import certo
from certo.features.lsp.commands import COMMANDS
from certo.protocol.errors import CODES, RETRIABLE
from certo.protocol.events import Event as WireEvent
from certo.protocol.methods import METHODS
from certo.protocol.schema import document
from certo.protocol.typescript import typescript
from certo.settings.documents import json_schema
from certo.vocabulary.events import Event
from certo.vocabulary.outcome import Outcome
from support.lsp.wire_models import wire_models

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```", PROTOCOL, re.MULTILINE | re.DOTALL)


def test_every_protocol_name_has_one_section():
    """Commands, methods and events, and no other names."""
    documented = re.findall(r"^### `(.+)`$", PROTOCOL, re.MULTILINE)
    assert sorted(documented) == sorted(
        {*COMMANDS, *(method.name for method in METHODS), *(kind.type for kind in Event.__subclasses__())}
    )


def test_methods_have_examples_of_all_their_messages():
    for method in METHODS:
        section = PROTOCOL.partition(f"### `{method.name}`\n")[2].partition("\n### ")[0].partition("\n## ")[0]
        shown = set(re.findall(r"^```json (\w+)$", section, re.MULTILINE))
        assert {kind.__name__ for kind in (method.params, method.result, method.refusal) if kind} <= shown, method.name


def test_table_of_contents_follows_the_parts():
    parts = re.findall(r"^## (.+)$", PROTOCOL, re.MULTILINE)
    assert re.findall(r"^\d+\. \[(.+?)\]", PROTOCOL, re.MULTILINE) == parts


def test_methods_stand_in_the_part_of_senders():
    parts = dict(re.findall(r"^## (Requests of .+)\n((?:(?!## ).*\n)*)", PROTOCOL, re.MULTILINE))
    for method in METHODS:
        # What a client notifies of belongs to an answer that it was asked for.
        asks = "client" if method.sender == "client" and not method.notification else "server"
        assert f"### `{method.name}`\n" in parts[f"Requests of the {asks}"], method.name


@pytest.mark.parametrize(("model", "example"), EXAMPLES, ids=[model for model, _ in EXAMPLES])
def test_an_example_is_what_its_model_reads(model, example):
    kind = wire_models()[model]
    parsed = kind.model_validate_json(example, by_alias=True, by_name=False)
    if issubclass(kind, WireEvent):
        assert list(json.loads(example)) == list(parsed.model_dump(by_alias=True))


def test_error_table_lists_numbers_and_retries():
    shown = re.findall(r"^\| (\d+) \| `(\w+)` \| .+ \| (yes|no|as `data` says) \|$", PROTOCOL, re.MULTILINE)
    again = {name: "yes" if name in RETRIABLE else "no" for name in CODES} | {"ModelFailed": "as `data` says"}
    assert sorted(shown) == sorted((str(code), name, again[name]) for name, code in CODES.items())


def test_there_is_an_example_of_every_event():
    assert {kind.__name__ for kind in Event.__subclasses__()} <= {model for model, _ in EXAMPLES}


def test_every_outcome_is_named():
    assert [name for name in _words(Outcome) if f"`{name}`" not in PROTOCOL] == []


def test_typescript_types_are_up_to_date():
    kept = (ROOT / "vscode-client" / "src" / "protocol.ts").read_text(encoding="utf-8")
    assert kept == typescript(document(json_schema())), "write them anew: make schema"


def test_each_layer_of_the_package_is_described():
    """In the table of docs/architecture.md, and in what `help(certo)` shows."""
    layers = {
        path.stem
        for path in (ROOT / "server" / "certo").iterdir()
        if (path.is_dir() and (path / "__init__.py").exists()) or path.name == "plugins.py"
    }
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert {layer for layer in layers if f"| `{layer}` |" not in table} == set()
    assert {layer for layer in layers if not re.search(rf"\b{layer}\b", certo.__doc__ or "")} == set()


def test_the_layers_are_drawn_in_their_order():
    """docs/architecture.md draws no layer above one that may import it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = page.partition("```text shown\n")[2].partition("```")[0].splitlines()
    place = {layer: number for number, line in enumerate(drawn) for layer in line.split(" | ")}
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = tools["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == ["certo"])
    places = [[place[layer] for layer in line.split(" | ")] for line in layers]
    assert [pair for pair in pairwise(places) if max(pair[0]) > min(pair[1])] == []


def _words(kind: type[Enum]) -> list[str]:
    """An enum's members as they are written on the wire."""
    return [member.name.lower().replace("_", "-") for member in kind]
