"""Checks any LSP message against the official metamodel, without lsprotocol, which the daemon itself uses.

It is strict: a property the metamodel does not know is a violation, as is a response nobody asked for. Methods outside
LSP's own name spaces (`certo/…`, `test/…`) are let through, for the metamodel says nothing about them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

Side = Literal["client", "server"]
Type = Mapping[str, Any]
"""A type as the metamodel writes it: an object with a `kind`."""

_OFFICIAL = ("textDocument/", "workspace/", "window/", "client/", "telemetry/", "notebookDocument/", "$/")
_ANYTHING = ("LSPAny", "LSPObject", "LSPArray")
_PROGRESS = {"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport", "end": "WorkDoneProgressEnd"}


def _is_integer(value: object, lowest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value < 2**31


def _is_string(value: object) -> bool:
    return isinstance(value, str)


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "string": _is_string,
    "URI": _is_string,
    "DocumentUri": _is_string,
    "RegExp": _is_string,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_integer(value, -(2**31)),
    "uinteger": lambda value: _is_integer(value, 0),
    "decimal": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


class Metamodel:
    """The metamodel, ready to check values. Every check gives sentences; none if there are no errors."""

    def __init__(self, model: Mapping[str, Any]) -> None:
        self._requests = {request["method"]: request for request in model["requests"]}
        self._notifications = {notification["method"]: notification for notification in model["notifications"]}
        self._structures = {structure["name"]: structure for structure in model["structures"]}
        self._enumerations = {enumeration["name"]: enumeration for enumeration in model["enumerations"]}
        self._aliases = {alias["name"]: alias["type"] for alias in model["typeAliases"]}
        self._properties_of: dict[str, dict[str, Any]] = {}
        self._checks: dict[str, Callable[[Any, Type, str], Iterator[str]]] = {
            "base": self._plain,
            "reference": self._reference,
            "literal": self._literal,
            "stringLiteral": self._string_literal,
            "array": self._array,
            "map": self._map,
            "tuple": self._tuple,
            "or": self._or,
            "and": self._and,
        }

    def message(self, message: Mapping[str, Any], sender: Side, pending: Mapping[int | str, str]) -> list[str]:
        """Return the errors in one message.

        `pending` are the requests the *other* side waits on, id to method: a response is checked by what it answers.
        """
        if message.get("jsonrpc") != "2.0":
            return ['not "jsonrpc": "2.0"']
        if "method" in message:
            return list(self._call(message, sender))
        return list(self._response(message, pending))

    def value(self, value: Any, name: str) -> list[str]:
        """Return the errors in a value that should be of the named type."""
        return list(self._check(value, {"kind": "reference", "name": name}, name))

    def _call(self, message: Mapping[str, Any], sender: Side) -> Iterator[str]:
        method = message["method"]
        yield from _unknown_keys(message, {"jsonrpc", "id", "method", "params"})
        definition = (self._requests if "id" in message else self._notifications).get(method)
        if definition is None:
            if method.startswith(_OFFICIAL):
                yield f"{method} is no {'request' if 'id' in message else 'notification'} of LSP"
            return
        if definition["messageDirection"] not in ("both", f"{sender}To{'Server' if sender == 'client' else 'Client'}"):
            yield f"{method} is not for the {sender} to send"
        if "params" in definition:
            yield from self._check(message.get("params"), definition["params"], f"{method}.params")
        elif message.get("params") is not None:
            yield f"{method} takes no params"
        if method == "$/progress":
            yield from self._progress(message["params"]["value"])

    def _progress(self, value: Any) -> Iterator[str]:
        """Yield errors in work-done progress, which is LSPAny to the metamodel, but has its own structures."""
        kind = value.get("kind") if isinstance(value, dict) else None
        if kind in _PROGRESS:
            yield from self.value(value, _PROGRESS[kind])

    def _response(self, message: Mapping[str, Any], pending: Mapping[int | str, str]) -> Iterator[str]:
        yield from _unknown_keys(message, {"jsonrpc", "id", "result", "error"})
        if ("result" in message) == ("error" in message):
            yield "a response has either a result or an error"
            return
        id_ = message.get("id")
        if id_ is None and "error" in message:
            return  # about a message whose id could not be read
        if id_ not in pending:
            yield f"a response to {id_!r}, which is not waited for"
        elif "error" in message:
            yield from self._error(message["error"])
        elif pending[id_] in self._requests:
            yield from self._check(message["result"], self._requests[pending[id_]]["result"], f"{pending[id_]}.result")

    def _error(self, error: Any) -> Iterator[str]:
        if not isinstance(error, dict) or not _is_integer(error.get("code"), -(2**31)):
            yield f"not an error with a code: {error!r}"
        elif not isinstance(error.get("message"), str):
            yield f"an error without a message: {error!r}"

    def _check(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        return self._checks[expected["kind"]](value, expected, path)

    def _plain(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        if not _PLAIN[expected["name"]](value):
            yield f"{path}: not a {expected['name']}: {value!r:.60}"

    def _reference(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        name = expected["name"]
        if name in _ANYTHING:
            return
        if name in self._aliases:
            yield from self._check(value, self._aliases[name], path)
        elif name in self._enumerations:
            yield from self._enumeration(value, self._enumerations[name], path)
        else:
            yield from self._properties(value, self._inherited(name), f"{path} ({name})")

    def _enumeration(self, value: Any, enumeration: Mapping[str, Any], path: str) -> Iterator[str]:
        yield from self._check(value, enumeration["type"], path)
        known = [entry["value"] for entry in enumeration["values"]]
        if not enumeration.get("supportsCustomValues") and value not in known:
            yield f"{path}: {value!r} is none of {known}"

    def _literal(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        properties = {member["name"]: member for member in expected["value"]["properties"]}
        yield from self._properties(value, properties, path)

    def _string_literal(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        if value != expected["value"]:
            yield f"{path}: {value!r} is not {expected['value']!r}"

    def _array(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{path}: not an array"
            return
        for index, element in enumerate(value):
            yield from self._check(element, expected["element"], f"{path}[{index}]")

    def _map(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{path}: not a map"
            return
        for key, element in value.items():
            yield from self._check(element, expected["value"], f"{path}.{key}")

    def _tuple(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        if not isinstance(value, list) or len(value) != len(expected["items"]):
            yield f"{path}: not a tuple of {len(expected['items'])}"
            return
        for element, item in zip(value, expected["items"], strict=True):
            yield from self._check(element, item, path)

    def _or(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        """Yield the violations of the nearest alternative, which is the one with the fewest."""
        attempts = [list(self._check(value, alternative, path)) for alternative in expected["items"]]
        yield from min(attempts, key=len)

    def _and(self, value: Any, expected: Type, path: str) -> Iterator[str]:
        for item in expected["items"]:
            yield from self._check(value, item, path)

    def _properties(self, value: Any, properties: Mapping[str, Any], path: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{path}: not an object: {value!r:.60}"
            return
        for name, member in properties.items():
            if name not in value and not member.get("optional"):
                yield f"{path}: {name} is missing"
        for name, part in value.items():
            if name in properties:
                yield from self._check(part, properties[name]["type"], f"{path}.{name}")
            elif properties:  # a structure without any, such as InitializedParams, is open
                yield f"{path}: {name} is not known"

    def _inherited(self, name: str) -> dict[str, Any]:
        """Return the properties of a structure, with those that it extends or mixes in."""
        if name not in self._properties_of:
            structure = self._structures[name]
            properties: dict[str, Any] = {}
            for parent in (*structure.get("extends", ()), *structure.get("mixins", ())):
                properties.update(self._inherited(parent["name"]))
            properties.update({member["name"]: member for member in structure["properties"]})
            self._properties_of[name] = properties
        return self._properties_of[name]


def _unknown_keys(message: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    if unknown := set(message) - known:
        yield f"keys that JSON-RPC does not know: {sorted(unknown)}"


@cache
def metamodel() -> Metamodel:
    """Return the metamodel of LSP 3.17, read once."""
    return Metamodel(json.loads(Path(__file__).with_name("lsp-metamodel.json").read_text(encoding="utf-8")))
