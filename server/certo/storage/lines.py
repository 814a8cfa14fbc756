"""Events as the journal writes them: the wire's JSON, a line each, and back to values."""

from __future__ import annotations

import json

from pydantic import TypeAdapter, ValidationError

from certo.protocol.events import decode, encode
from certo.vocabulary.events import Event
from certo.vocabulary.outcome import Outcome

KINDS = {kind.type: kind for kind in Event.__subclasses__() if "__slots__" in vars(kind)}
"""Every kind of event by its name; a dataclass with slots leaves the class it was made of among the subclasses."""

_READERS = {name: TypeAdapter(kind) for name, kind in KINDS.items()}


class Unreadable(Exception):
    """A line is no event that this version knows."""


def line_of(event: Event) -> str:
    """An event as one line of JSON, exactly as clients get it."""
    return json.dumps(encode(event), separators=(",", ":"))


def event_of(line: str) -> Event:
    """The event of a line.

    All is there that crossed the wire; of a baseline, what only the process needed that took it is not.

    Raises:
        Unreadable: another version of certo wrote it.
    """
    try:
        fields = decode(line).model_dump()
        if "outcome" in fields:
            fields["outcome"] = Outcome[fields["outcome"].upper().replace("-", "_")]
        read: Event = _READERS[fields["type"]].validate_python(fields)
    except ValidationError as error:
        raise Unreadable(line[:80]) from error
    return read
