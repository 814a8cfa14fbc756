"""The log of conversations with language models, in streams: the caller's own, each line of attempts, each judge."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from certo.llm.prompt import Message
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

Purpose = Literal["main", "attempt", "judge"]
"""Whose conversation it is: the caller's own, a generator's, or a criterion's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One message: `id` is the same in every stream that has it, `at` is seconds since 1970, `model` who said it."""

    id: str
    at: float
    role: Literal["system", "user", "assistant", "tool"]
    text: str
    model: str = ""


@cache
def _streams() -> TypeAdapter[dict[str, list[LogEntry]]]:
    """Return what reads and writes streams; it takes long to make, and few programs keep a log."""
    return TypeAdapter(dict[str, list[LogEntry]])


@dataclass(slots=True)
class ContextLog:
    """Keeps conversations by stream: `main-1`, `attempt-1`, `attempt-2`, `judge-1` and so on.

    A prompt that goes on with a stream is added to it. One that goes another way begins a stream of its own, which has
    the messages they have in common by the same ids; so nothing is there twice in `everything`.
    """

    streams: dict[str, list[LogEntry]] = field(default_factory=dict)

    def add(self, purpose: Purpose, messages: Sequence[Message], answer: Message, *, model: str) -> str:
        """Put down one question with its answer; returns the stream it went to."""
        name, common = self._stream_for(purpose, messages)
        stream = self.streams[name]
        stream += (_entry(message, "") for message in messages[common:])
        stream.append(_entry(answer, model))
        return name

    def everything(self) -> tuple[LogEntry, ...]:
        """Return all messages of all streams in the order of time, each once."""
        known = {entry.id: entry for stream in self.streams.values() for entry in stream}
        return tuple(sorted(known.values(), key=lambda entry: entry.at))

    def save(self, path: Path) -> None:
        """Write everything to a JSON file."""
        path.write_bytes(_streams().dump_json(self.streams, indent=1))

    @classmethod
    def load(cls, path: Path) -> ContextLog:
        """Read what was saved.

        Raises:
            BadSetting: the file cannot be read, or is not of this form.
        """
        try:
            return cls(_streams().validate_json(path.read_bytes()))
        except OSError as error:
            raise BadSetting(f"the context log {path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise BadSetting(f"{path} is no context log: {error.errors(include_url=False)[0]['msg']}") from error

    def _stream_for(self, purpose: Purpose, messages: Sequence[Message]) -> tuple[str, int]:
        """Return the stream the messages go on with, and how many of them it has already."""
        said = [(message.role, message.text) for message in messages]
        best: tuple[int, list[LogEntry]] = (0, [])
        for name, stream in self.streams.items():
            if not name.startswith(purpose):
                continue
            common = _in_both(said, stream)
            if common == len(stream) and common:
                return name, common
            best = max(best, (common, stream), key=lambda each: each[0])
        count = sum(name.startswith(purpose) for name in self.streams)
        name = f"{purpose}-{count + 1}"
        self.streams[name] = best[1][: best[0]]
        return name, best[0]


def _in_both(said: Sequence[tuple[str, str]], stream: Iterable[LogEntry]) -> int:
    """Return the number of messages that both begin with."""
    count = 0
    for (role, text), entry in zip(said, stream, strict=False):
        if (role, text) != (entry.role, entry.text):
            break
        count += 1
    return count


def _entry(message: Message, model: str) -> LogEntry:
    return LogEntry(id=secrets.token_hex(8), at=time.time(), role=message.role, text=message.text, model=model)
