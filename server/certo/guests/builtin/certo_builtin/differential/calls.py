"""One call as a mapping of expressions: as a recorder tells it, as it is written, and with another value in a place."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, Optional, Tuple

from certo_builtin.differential.versions import Call
from certo_builtin.inputs.unusual import FLAG


def call_of(message: Dict[str, Any], callee: Dict[str, Any]) -> Optional[Call]:
    """Return the call that a recorder reports; None if it is of something else, or has no receiver."""
    if message["kind"] != "call":
        return None
    arguments, receiver = list(message["arguments"]), callee["receiver"]
    if callee["has_receiver"] and receiver is None:
        if not arguments:
            return None
        receiver = arguments.pop(0)
    elif callee["is_class_method"]:
        arguments = arguments[1:]
    return {
        "callee": callee["name"],
        "receiver": receiver,
        "arguments": arguments,
        "named": dict(message["named"]),
        "is_property": callee["is_property"],
    }


def source_of(call: Call) -> str:
    """Return a call as it is written."""
    name = call["callee"]
    if call["receiver"] is not None:
        receiver = call["receiver"]
        name = ("({}).{}" if receiver[:1].isdigit() or receiver[:1] == "-" else "{}.{}").format(receiver, name)
    if call["is_property"]:
        return str(name)
    named = ("{}={}".format(key, text) for key, text in call["named"].items())
    return "{}({})".format(name, ", ".join([*call["arguments"], *named]))


def places(call: Call) -> Iterator[Tuple[Any, str]]:
    """Yield the values in a call: "" is the place of the receiver."""
    if call["receiver"] is not None and not call.get("fixed"):
        yield "", call["receiver"]
    yield from enumerate(call["arguments"])
    yield from call["named"].items()


def put(call: Call, place: Any, text: str) -> Call:
    """Return the call with another value in one place."""
    if place == "":
        return {**call, "receiver": text}
    if isinstance(place, int):
        return {**call, "arguments": [*call["arguments"][:place], text, *call["arguments"][place + 1 :]]}
    return {**call, "named": {**call["named"], place: text}}


def distinct(calls: Iterable[Call], asked: Dict[str, Any]) -> Iterator[Call]:
    """Yield the calls that were not asked before, and remember them."""
    for call in calls:
        text = source_of(call)
        if text not in asked:
            asked[text] = None
            yield call


def has_flag(call: Call) -> bool:
    """True if a call has a truth value in place of a number."""
    return "callee" in call and any(FLAG in text for _, text in places(call))
