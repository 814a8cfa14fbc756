"""The times and costs of all that is done, as spans in the form of OpenTelemetry, a JSON object a line."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certo.vocabulary.events import (
    CandidateProposed,
    CandidateScored,
    Event,
    ModelLooked,
    SearchStopped,
    VerdictReached,
)
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.sessions.live import LiveSearch


@dataclass(slots=True, kw_only=True)
class Span:
    """One thing that was done: ids as OpenTelemetry has them, times in nanoseconds since 1970, and what is known of it.

    `status` is "ok" or "error"; `error` says what was wrong.
    """

    name: str
    trace_id: str
    parent_id: str | None
    span_id: str = field(default_factory=lambda: secrets.token_hex(8))
    start: int = field(default_factory=time.time_ns)
    end: int = 0
    status: str = "ok"
    error: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)


_open_span: ContextVar[Span | None] = ContextVar("certo.span", default=None)


class Trace:
    """Writes spans to a file as they end: `generate`, `build`, `run`, `execute`, `attempt`, `look_up`, `model.answer`.

    A span is the child of the one that was open around it, so that a file can hold several traces; it is appended to.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._attempts: dict[tuple[str, str], Span] = {}

    @contextmanager
    def span(self, name: str, **attributes: Any) -> Iterator[Span]:
        """Measure what is done within; an exception is written down with it and goes on."""
        span = _begun(name, attributes)
        token = _open_span.set(span)
        try:
            yield span
        except BaseException as error:
            span.status, span.error = "error", f"{type(error).__name__}: {error}"
            raise
        finally:
            _open_span.reset(token)
            self._write(span)

    def hear(self, live: LiveSearch, event: Event) -> None:
        """Make a span of each attempt of a search, with its verdicts, its cost and its place in the strategy."""
        match event:
            case ModelLooked():
                place = {"attempt.slot": event.slot, "attempt.number": event.attempt, "search.id": live.id}
                asked = {"model": event.model, "tool": event.tool, "tool.arguments": event.arguments}
                given = {"tool.result": event.result, "tool.characters": event.characters}
                self._write(_begun("look_up", {**place, **asked, **given}))
            case CandidateProposed():
                place = {"attempt.slot": event.origin.slot, "attempt.number": event.origin.attempt}
                span = _begun("attempt", {"candidate.id": event.candidate_id, "search.id": live.id, **place})
                self._attempts[live.id, event.candidate_id] = span
            case VerdictReached():
                span = self._attempts[live.id, event.candidate_id]
                span.attributes[f"verifier.{event.verdict.verifier}"] = event.verdict.ruling.value
                span.attributes[f"verifier.{event.verdict.verifier}.seconds"] = event.verdict.seconds
            case CandidateScored():
                span = self._attempts.pop((live.id, event.candidate_id))
                span.status = "ok" if event.passed else "error"
                span.attributes |= {"passed": event.passed, "verified": event.verified}
                if event.cost is not None:
                    span.attributes["cost"] = event.cost.value
                self._write(span)
            case SearchStopped():
                self._end_attempts(live.id, event.outcome.value)

    def _end_attempts(self, search: str, why: str) -> None:
        """End the attempts that were still being judged when their search stopped."""
        for key in [key for key in self._attempts if key[0] == search]:
            span = self._attempts.pop(key)
            span.status, span.error = "error", f"cancelled: {why}"
            self._write(span)

    def _write(self, span: Span) -> None:
        span.end = time.time_ns()
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(span)) + "\n")


def _begun(name: str, attributes: dict[str, Any]) -> Span:
    outer = _open_span.get()
    return Span(
        name=name,
        trace_id=outer.trace_id if outer is not None else secrets.token_hex(16),
        parent_id=outer.span_id if outer is not None else None,
        attributes=attributes,
    )
