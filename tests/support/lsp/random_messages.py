"""Random valid messages of a client: of LSP by its metamodel, and of our protocol by its examples."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from certo.protocol.methods import METHODS

Message = dict[str, Any]
Type = Mapping[str, Any]

_HERE = Path(__file__)
_DEEPEST = 4
"""How deep a value is nested at most by what may be left out; LSPAny and SelectionRange could go on for ever."""

_STRINGS = (
    "",
    "python",
    "def f():\n    return 1\n",
    "a\r\nb\u2028c🪙",
    "certo:5f0c2a9e",
    "quickfix",
    "\x00",
    "x" * 300,
)
_NUMBERS = (0, 1, 2, 7, 100, 2**31 - 1)
_ANYTHING = (None, True, 0, 1.5, "text", [1, "two"], {"key": {"deeper": []}})
_ENDS = ("initialize", "initialized", "shutdown", "exit")


class Specimens:
    """Makes valid messages about documents, of these URIs and of all others."""

    def __init__(self, chance: random.Random, uris: tuple[str, ...]) -> None:
        self._chance = chance
        self._uris = uris
        model = json.loads(_HERE.with_name("lsp-metamodel.json").read_text(encoding="utf-8"))
        self._types: dict[str, Type] = {
            each["name"]: each for kind in ("structures", "enumerations", "typeAliases") for each in model[kind]
        }
        self._requests = _of_client(model["requests"])
        self._notifications = _of_client(model["notifications"])
        self._own = tuple(_own_messages())

    def message(self) -> Message:
        """Return a request or notification that a client may send at any time; a request has no id yet."""
        kind = self._chance.random()
        if kind < 0.3:
            return json.loads(json.dumps(self._chance.choice(self._own)))
        definition = self._chance.choice(self._requests if kind < 0.75 else self._notifications)
        message: Message = {"jsonrpc": "2.0", "method": definition["method"]}
        if kind < 0.75:
            message["id"] = None
        if "params" in definition:
            message["params"] = self._value(definition["params"], 0)
        return message

    def _value(self, wanted: Type, depth: int) -> Any:
        """Return a value of a type."""
        chance = self._chance
        match wanted["kind"]:
            case "base":
                return self._plain(wanted["name"])
            case "reference":
                return self._named(wanted["name"], depth)
            case "array":
                return [self._value(wanted["element"], depth + 1) for _ in range(chance.randrange(3))]
            case "map":
                return {chance.choice(_STRINGS): self._value(wanted["value"], depth + 1)}
            case "tuple":
                return [self._value(each, depth) for each in wanted["items"]]
            case "or":
                return self._value(chance.choice(wanted["items"]), depth)
            case "and":
                return {name: part for each in wanted["items"] for name, part in self._value(each, depth).items()}
            case "literal":
                return self._structure(wanted["value"]["properties"], depth)
            case _:
                return wanted["value"]

    def _plain(self, name: str) -> Any:
        match name:
            case "DocumentUri" | "URI":
                return self._chance.choice(self._uris)
            case "boolean":
                return self._chance.random() < 0.5
            case "null":
                return None
            case "integer" | "uinteger" | "decimal":
                return self._chance.choice(_NUMBERS)
            case _:
                return self._chance.choice(_STRINGS)

    def _named(self, name: str, depth: int) -> Any:
        if name.startswith("LSP"):
            return self._chance.choice(_ANYTHING) if name == "LSPAny" else {} if name == "LSPObject" else []
        definition = self._types[name]
        if "values" in definition:
            return self._chance.choice(definition["values"])["value"]
        if "type" in definition:
            return self._value(definition["type"], depth)
        parents = (*definition.get("extends", ()), *definition.get("mixins", ()))
        inherited = {key: part for each in parents for key, part in self._named(each["name"], depth).items()}
        return inherited | self._structure(definition["properties"], depth)

    def _structure(self, properties: list[Type], depth: int) -> Message:
        return {
            member["name"]: self._value(member["type"], depth + 1)
            for member in properties
            if not member.get("optional") or (depth < _DEEPEST and self._chance.random() < 0.3)
        }


def _of_client(definitions: list[Type]) -> list[Type]:
    """Return the messages of a client, without those that begin and end a conversation."""
    return [
        each for each in definitions if each["messageDirection"] != "serverToClient" and each["method"] not in _ENDS
    ]


@cache
def _examples() -> dict[str, tuple[Any, ...]]:
    """Return the examples of protocol.md, by the names of their models."""
    found: dict[str, tuple[Any, ...]] = {}
    text = (_HERE.parents[3] / "protocol.md").read_text(encoding="utf-8")
    for name, example in re.findall(r"```json (\w+)\n(.*?)\n```", text, re.DOTALL):
        found[name] = (*found.get(name, ()), json.loads(example))
    return found


def _own_messages() -> Iterator[Message]:
    """Yield our own methods and commands, with examples of their params."""
    for method in METHODS:
        for params in _examples()[method.params.__name__] if method.sender == "client" else ():
            message: Message = {"jsonrpc": "2.0", "method": method.name, "params": params}
            yield message if method.notification else {**message, "id": None}
    for name in ("generate", "cancel", "accept", "retry", "showDiff", "dismiss", "next"):
        for argument in (_examples()[f"{kind}Arguments"][0] for kind in ("Generate", "Search", "Candidate")):
            params = {"command": f"certo.{name}", "arguments": [argument]}
            yield {"jsonrpc": "2.0", "id": None, "method": "workspace/executeCommand", "params": params}
