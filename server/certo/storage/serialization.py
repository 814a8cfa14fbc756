"""Events and verdicts as the journal writes them: the wire's JSON, a line each, and back to values."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from certo.protocol import values
from certo.protocol.events import decode, encode
from certo.vocabulary.events import Event
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import Verdict

KINDS = {kind.type: kind for kind in Event.__subclasses__() if "__slots__" in vars(kind)}
"""Every kind of event by its name; a dataclass with slots leaves the class it was made of among the subclasses."""


# Most commands read no journal, and what reads one takes a tenth of their start to build.
@cache
def _event_reader(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[name])


@cache
def _verdict_reader() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)


class Unreadable(Exception):
    """A line is no event or verdict that this version knows."""


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
        read: Event = _event_reader(fields["type"]).validate_python(fields)
    except ValidationError as error:
        raise Unreadable(line[:80]) from error
    return read


def line_of_verdict(verdict: Verdict) -> str:
    """A verdict as one line of JSON, as clients get it in its event."""
    return values.Verdict.model_validate(verdict).model_dump_json(by_alias=True)


def verdict_of(line: str) -> Verdict:
    """The verdict of a line.

    Raises:
        Unreadable: it is damaged, or another version of certo wrote it.
    """
    try:
        return _verdict_reader().validate_python(values.Verdict.model_validate_json(line).model_dump())
    except ValidationError as error:
        raise Unreadable(line[:80]) from error
