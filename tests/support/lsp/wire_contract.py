"""The daemon's messages, checked against the schema of `certo schema` by another implementation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from certo.protocol.schema import document
from certo.settings.documents import json_schema

Message = Mapping[str, Any]


class Contract:
    """The schema of the whole protocol, which checks one message of the server at a time; by default this version's."""

    def __init__(self, whole: Mapping[str, Any] | None = None) -> None:
        self._whole = document(json_schema()) if whole is None else whole
        self._validators: dict[str, Draft202012Validator] = {}

    def violations(self, message: Message, pending: Mapping[Any, str]) -> Iterator[str]:
        """Yield the errors in a message of the server; `pending` has the methods of the requests it may answer."""
        uses = self._whole["certo"]
        method = message.get("method")
        if method is None and message["id"] in pending:
            yield from self._of_answer(message, pending[message["id"]])
        elif method in uses["methods"]:
            yield from self._errors(uses["methods"][method]["params"], message.get("params"))
        elif method == "$/progress" and isinstance(message["params"]["value"], list):
            for event in message["params"]["value"]:
                yield from self._errors({"$ref": "#/$defs/AnyEvent"}, event)

    def _of_answer(self, message: Message, method: str) -> Iterator[str]:
        """Yield the errors in an answer to a request of that method."""
        uses = self._whole["certo"]
        told = message["error"].get("data") if "error" in message else None
        if told is not None:
            yield from self._errors({"$ref": "#/$defs/Failure"}, told)
            if uses["errors"].get(told["name"], {}).get("code") != message["error"]["code"]:
                yield f"{told['name']} has not the number {message['error']['code']}"
        if "error" in message:
            return
        if method == "workspace/executeCommand":
            yield from self._errors({"$ref": "#/$defs/CommandAnswer"}, message["result"])
        elif method in uses["methods"]:
            yield from self._errors(uses["methods"][method]["result"], message["result"])

    def _errors(self, schema: Mapping[str, str] | None, value: object) -> Iterator[str]:
        if schema is None:
            if value is not None:
                yield f"it has {value!r}, where the table has nothing"
            return
        name = schema["$ref"]
        if name not in self._validators:
            self._validators[name] = Draft202012Validator({"$defs": self._whole["$defs"], "$ref": name})
        for error in self._validators[name].iter_errors(value):
            yield f"{name} at {error.json_path}: {error.message}"


@cache
def contract() -> Contract:
    """Return the contract, read once."""
    return Contract()
