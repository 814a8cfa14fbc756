"""The calls that candidates are compared on: those of the tests, and others that are made up.

In differential testing two programs that should do the same are each other's oracle (McKeeman, "Differential testing
for software", 1998). The guest program that runs the tests makes the calls up, as it does for comparisons of versions:
only there annotations can be evaluated. Property tests run under a fixed seed, so the calls that they draw are known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from certo.behaviour.call import MAX_CHARACTERS, Callee, RecordedCall, callee_wire, recorded
from certo.behaviour.simpler_values import simpler
from certo.edits.definitions import Definition
from certo.vocabulary.records import dataclass

MAX_ITEMS = 320
"""Number of usual calls in the pool of a comparison."""

KINDS = ("call", "made up", "unwritten", "unmade")
"""Kinds of messages that a pool is made of."""

MAX_MESSAGES = 4000
"""Maximum number of messages that are kept: far more than a program reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPool:
    """Calls: `known` ones of tests and examples, the simplest first, and those `made_up`.

    `unwritten` are types of arguments that no expression makes, `unmade` parameters of which nothing is known.
    """

    known: tuple[RecordedCall, ...] = ()
    made_up: tuple[RecordedCall, ...] = ()
    unwritten: tuple[str, ...] = ()
    unmade: tuple[str, ...] = ()

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        """All calls, the known ones first."""
        return (*self.known, *self.made_up)


def pool_request(
    definition: Definition, qualname: str, *, most: int = MAX_ITEMS, others: Sequence[tuple[str, Definition]] = ()
) -> dict[str, Any] | None:
    """Return the field of a request that asks for `most` usual calls and half as many others; None without a callee.

    The constants of `others`, the target in other texts, are used as well.
    """
    callee = callee_wire(definition, qualname)
    if callee is None:
        return None
    places = [{"text": text, "line": one.node.lineno, "name": one.node.name} for text, one in others]
    return {"callee": callee, "most": most, "others": places}


def pool_of(callee: Callee, messages: Sequence[Mapping[str, Any]]) -> CallPool:
    """Return the calls in a program's messages, each once; malformed ones are left out."""
    found: dict[str, dict[str, RecordedCall]] = {"call": {}, "made up": {}}
    names: dict[str, list[str]] = {"unwritten": [], "unmade": []}
    for message in messages:
        match message:
            case {"kind": "call" | "made up" as kind}:
                call = recorded(callee, message)
                if call is not None and call.text not in found["call"]:
                    found[kind].setdefault(call.text, call)
            case {"kind": "unwritten" | "unmade" as kind, "names": list(said)}:
                names[kind] += [name[:MAX_CHARACTERS] for name in said if isinstance(name, str)]
    return CallPool(
        known=tuple(sorted(found["call"].values(), key=lambda call: call.weight)),
        made_up=tuple(found["made up"].values()),
        unwritten=tuple(names["unwritten"]),
        unmade=tuple(names["unmade"]),
    )


def plainer(call: RecordedCall, required: int) -> Iterator[RecordedCall]:
    """Yield simpler calls: with simpler values, or without the last argument if it is optional."""
    if len(call.arguments) > required:
        yield replace(call, arguments=call.arguments[:-1])
    for name in call.named:
        yield replace(call, named={key: text for key, text in call.named.items() if key != name})
    for place, text in call.values():
        for changed in simpler(text):
            yield _with(call, place, changed)


def _with(call: RecordedCall, place: str | int, text: str) -> RecordedCall:
    """Return the call with another value in one place."""
    if place == "":
        return replace(call, receiver=text)
    if isinstance(place, int):
        return replace(call, arguments=(*call.arguments[:place], text, *call.arguments[place + 1 :]))
    return replace(call, named={**call.named, place: text})


def required_number(callee: Callee, definition: Definition) -> int:
    """Return the number of positional parameters without a default, the receiver apart."""
    given = definition.node.args
    every: list[ast.arg] = [*given.posonlyargs, *given.args]
    has_own = (callee.has_receiver and callee.receiver is None) or definition.node.name == "__init__"
    return max(0, len(every) - len(given.defaults) - has_own)
