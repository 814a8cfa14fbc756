"""Events, verdicts and baselines in the journal: JSON, one line each, the wire's where clients receive them too."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from certo.protocol import values
from certo.protocol.events import decode, encode
from certo.vocabulary.events import Event
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, BaselineRun
from certo.vocabulary.verdict import Verdict

KINDS = {kind.type: kind for kind in Event.__subclasses__() if "__slots__" in vars(kind)}
"""Event classes by name; a dataclass with slots leaves its original class among the subclasses, hence the filter."""


# Most commands read no journal, and building the readers takes a tenth of their start.
@cache
def _event_reader(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[name])


@cache
def _verdict_reader() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)


@cache
def _baseline_reader() -> TypeAdapter[tuple[Baseline, BaselineRun]]:
    return TypeAdapter(tuple[Baseline, BaselineRun])


class Unreadable(Exception):
    """A line that is no event or verdict known to this version."""


def line_of(event: Event) -> str:
    """Return an event as one line of JSON, exactly as clients receive it."""
    return json.dumps(encode(event), separators=(",", ":"))


def event_of(line: str) -> Event:
    """Return the event of a line.

    It has everything that crossed the wire; parts of a baseline that only the process that took it needed are missing.

    Raises:
        Unreadable: Another version of certo wrote the line.
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
    """Return a verdict as one line of JSON, as clients receive it in its event."""
    return values.Verdict.model_validate(verdict).model_dump_json(by_alias=True)


def verdict_of(line: str) -> Verdict:
    """Return the verdict of a line.

    Raises:
        Unreadable: The line is damaged, or another version of certo wrote it.
    """
    try:
        return _verdict_reader().validate_python(values.Verdict.model_validate_json(line).model_dump())
    except ValidationError as error:
        raise Unreadable(line[:80]) from error


def line_of_baseline(baseline: Baseline, run: BaselineRun) -> str:
    """Return a baseline with the conditions of its runs as one line of JSON, which no client receives."""
    return json.dumps(_baseline_reader().dump_python((baseline, run), mode="json"), separators=(",", ":"))


def baseline_of(line: str) -> tuple[Baseline, BaselineRun]:
    """Return the baseline of a line.

    Raises:
        Unreadable: The line is damaged, or another version of certo wrote it.
    """
    try:
        return _baseline_reader().validate_json(line)
    except ValidationError as error:
        raise Unreadable(line[:80]) from error
