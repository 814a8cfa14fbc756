"""What comes out of a run through its pipes: messages, printed text and the keeper's report, all of it bounded."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from certo.sandbox.executor import Message

_CHUNK = 65536
_PRINTED_KEPT = 4096


@dataclass(slots=True, kw_only=True)
class Ears:
    """Hears one run to its end.

    `room` is how many bytes it may still say and print. `how` is the program's own word on its end, None until it
    said one, and `garbled` whether something came that our channel never writes.
    """

    tell: Callable[[Message], None]
    room: int
    how: str | None = None
    garbled: bool = False
    printed: bytes = b""
    _line: list[bytes] = field(default_factory=list)

    def hear_printed(self, chunk: bytes) -> None:
        """Take what came on standard output or standard error; only its last few KiB are kept."""
        self.room -= len(chunk)
        self.printed = (self.printed + chunk)[-_PRINTED_KEPT:]

    def hear_said(self, chunk: bytes) -> None:
        """Take what came through the channel and tell each message that is whole."""
        self.room -= len(chunk)
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            self._line.append(line)
            self._hear_line(b"".join(self._line))
            self._line.clear()
        self._line.append(rest)

    def _hear_line(self, line: bytes) -> None:
        # After its last word or after anything garbled, whoever still writes is not our channel.
        if self.how is not None or self.garbled:
            self.garbled = True
            return
        match _decode(line):
            case {"tell": dict(message)}:
                self.tell(message)
            case {"end": str(how)}:
                self.how = how
            case _:
                self.garbled = True


@dataclass(frozen=True, slots=True)
class Report:
    """The keeper's report: whether the run began, and its exit status and CPU seconds when the keeper saw the end."""

    started: bool = False
    status: int | None = None
    cpu_seconds: float = 0.0


def read_report(text: bytes) -> Report:
    """Read what the keeper wrote into its own pipe."""
    match [_decode(line) for line in text.splitlines()]:
        case [{"started": True}, {"status": int(status), "cpu": float(cpu)}]:
            return Report(started=True, status=status, cpu_seconds=cpu)
        case [{"started": True}, *_]:
            return Report(started=True)
        case _:
            return Report()


def read_available(pipe: int) -> bytes | None:
    """Read what a non-blocking pipe holds, up to 64 KiB: b"" at its end, None when there is nothing now."""
    try:
        return os.read(pipe, _CHUNK)
    except BlockingIOError:
        return None


def _decode(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
