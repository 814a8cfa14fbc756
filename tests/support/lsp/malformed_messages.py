"""Malformed messages, each with the reaction that a server must show."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from support.lsp.random_messages import Message, Specimens

_VALUES = (
    *(None, True, -1, 2**31, 2**63, -(2**63) - 1, 2**70, 1.5, 1e308, [], [[]], {}, {"": None}),
    *("", "text", "\ud800", "\0", "x" * 100_000, "file:///a%00b.py", f"file:///{'a/' * 3000}", "http://[::1"),
)
"""What stands where something else is expected; one is a string that no UTF-8 can have."""

_NO_NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"9" * 5000, b"01", b".5")
"""What stands for a number and is none of JSON, or none that could be kept."""

_MARK = "a number"

RARE = 250
"""Of so many messages one is costly to send: by turns one of 10 MB, and one that is nested too deeply."""

_BIG = 10_000_000
_DEEP = 100_000


class Taken(Enum):
    """The required reaction to a message: an answer with its id, an answer without one, or none."""

    ANSWERED = "answered"
    NAMELESS = "nameless"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One message: its bytes, its defect, the required reaction, and the id for the answer."""

    sent: bytes
    about: str
    taken: Taken
    id: str = ""


def mutants(seed: int, count: int, uris: tuple[str, ...], *, stream: bool = True) -> Iterator[Mutant]:
    """Yield `count` messages, the same ones for a seed. Only on a `stream` of bytes may their frames be wrong."""
    deformities = _DEFORMITIES + _OF_STREAMS if stream else _DEFORMITIES
    chance = random.Random(seed)
    specimens = Specimens(chance, uris)
    for number in range(count):
        id_ = f"mutant-{number}"
        message = specimens.message()
        if "id" in message:
            message["id"] = id_
        deform = _COSTLY[number // RARE % len(_COSTLY)] if number % RARE == RARE - 1 else chance.choice(deformities)
        yield deform(chance, message, id_)


def _as_it_is(message: Message, about: str, id_: str) -> Mutant:
    asked = message.get("id") == id_
    body = json.dumps(message).encode()
    taken = Taken.ANSWERED if asked else Taken.IGNORED
    return Mutant(_framed(body), f"{about}: {message.get('method')}", taken, id_ if asked else "")


def _right(_: random.Random, message: Message, id_: str) -> Mutant:
    return _as_it_is(message, "nothing", id_)


def _wrong_type(chance: random.Random, message: Message, id_: str) -> Mutant:
    holder, key = _somewhere(chance, message)
    holder[key] = chance.choice(_VALUES)
    return _as_it_is(message, f"{key!r} of another type", id_)


def _missing(chance: random.Random, message: Message, id_: str) -> Mutant:
    holder, key = _somewhere(chance, message)
    del holder[key]
    return _as_it_is(message, f"{key!r} left out", id_)


def _unknown_field(chance: random.Random, message: Message, id_: str) -> Mutant:
    holder, _ = _somewhere(chance, message)
    if isinstance(holder, dict):
        holder[chance.choice(("", "class", "unknown", "id", "__class__"))] = chance.choice(_VALUES)
        if holder is message:
            message["id"] = id_
    return _as_it_is(message, "a field too many", id_)


def _unknown_method(chance: random.Random, message: Message, id_: str) -> Mutant:
    message["method"] = chance.choice(("", "$/unknown", "certo/unknown", "textDocument/unknown", "x" * 10_000))
    return _as_it_is(message, "an unknown method", id_)


def _wrong_order(chance: random.Random, _: Message, id_: str) -> Mutant:
    """Return a message at the wrong time: a second beginning, or an answer or a cancellation to nothing."""
    messages: tuple[Message, ...] = (
        {"jsonrpc": "2.0", "id": id_, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": chance.choice((1, "unknown"))}},
        {"jsonrpc": "2.0", "id": "nobody asked", "result": chance.choice(_VALUES)},
        {"jsonrpc": "2.0", "id": 10**9, "error": {"code": 1, "message": "nobody asked"}},
    )
    return _as_it_is(chance.choice(messages), "out of order", id_)


def _no_id(_: random.Random, message: Message, id_: str) -> Mutant:
    """Return a request sent as a notification, or the other way round."""
    if "id" in message:
        del message["id"]
        return _as_it_is(message, "no id", id_)
    return _as_it_is({**message, "id": id_}, "an id too many", id_)


def _bad_envelope(chance: random.Random, message: Message, id_: str) -> Mutant:
    """Return a message that is not JSON-RPC: another version, or an impossible id."""
    if chance.random() < 0.5:
        message |= {"jsonrpc": chance.choice(("1.0", 2, None)), "id": id_}
        return _as_it_is(message, "another JSON-RPC", id_)
    message["id"] = chance.choice((True, 1.5, [], {}))
    return Mutant(_framed(json.dumps(message).encode()), "an id that is none", Taken.NAMELESS)


def _no_object(chance: random.Random, message: Message, _: str) -> Mutant:
    body = chance.choice((b"null", b"7", b'"text"', b"[]", json.dumps([message]).encode()))
    return Mutant(_framed(body), "no object", Taken.NAMELESS)


def _no_json(chance: random.Random, message: Message, _: str) -> Mutant:
    body = json.dumps(message).encode()
    place = chance.randrange(1, len(body))
    return Mutant(_framed(body[:place]), "JSON that breaks off", Taken.NAMELESS)


def _no_number(chance: random.Random, message: Message, _: str) -> Mutant:
    holder, key = _somewhere(chance, message)
    holder[key] = _MARK
    body = json.dumps(message).encode().replace(json.dumps(_MARK).encode(), chance.choice(_NO_NUMBERS))
    return Mutant(_framed(body), "no number", Taken.NAMELESS)


def _no_utf8(chance: random.Random, message: Message, _: str) -> Mutant:
    body = json.dumps(message).encode()
    place = chance.randrange(1, len(body))
    wrong = chance.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80"))
    return Mutant(_framed(body[:place] + wrong + body[place:]), "no UTF-8", Taken.NAMELESS)


def _bad_header(chance: random.Random, message: Message, _: str) -> Mutant:
    """Return a meaningless header; the text after it, up to the next empty line, is lost."""
    head = chance.choice((b"", b"Content-Length: many", b"Content-Length: -5", b"X" * 20_000, b"\xff\xfe"))
    return Mutant(head + b"\r\n\r\n", "an unreadable header", Taken.NAMELESS)


def _too_short(chance: random.Random, message: Message, _: str) -> Mutant:
    """Return a message with too small a length; an empty line lets the server find the next message."""
    body = json.dumps(message).encode()
    length = chance.randrange(1, len(body))
    return Mutant(b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (length, body), "a length too small", Taken.NAMELESS)


def _big(_: random.Random, message: Message, id_: str) -> Mutant:
    message["params"] = {"text": "🪙" * (_BIG // 12)}
    return _as_it_is(message, "10 MB", id_)


def _deep(_: random.Random, __: Message, ___: str) -> Mutant:
    body = b'{"jsonrpc": "2.0", "method": "certo/unknown", "params": %b%b}' % (b"[" * _DEEP, b"]" * _DEEP)
    return Mutant(_framed(body), "deep nesting", Taken.NAMELESS)


_DEFORMITIES: tuple[Callable[[random.Random, Message, str], Mutant], ...] = (
    *(_wrong_type, _wrong_type, _wrong_type, _missing, _missing, _unknown_field, _right),
    *(_unknown_method, _wrong_order, _no_id, _bad_envelope, _no_object, _no_json, _no_number),
)
_OF_STREAMS = (_no_utf8, _bad_header, _too_short)
_COSTLY = (_big, _deep)


def _somewhere(chance: random.Random, message: Message) -> tuple[Any, Any]:
    """Return a random place in the params of a message: the container and the key in it."""
    places = list(_places(message.setdefault("params", {})))
    return chance.choice(places) if places and chance.random() < 0.95 else (message, "params")


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield value, key
        yield from _places(part)


def _framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
