"""Output of events as JSON, one per line, as they happen."""

from __future__ import annotations

import json
from typing import Any, TextIO

from certo.protocol.events import encode
from certo.search.board import SearchState
from certo.vocabulary.events import Event


class JsonLines:
    """Writes every event to a stream at once; the last line is the end of the search."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._gone: BrokenPipeError | None = None

    def on_event(self, board: SearchState, event: Event) -> None:  # noqa: ARG002 - the contract; an event says all there is
        """Write one event unless the reader has gone: a listener must not raise."""
        if self._gone is None:
            try:
                write_line(self._stream, encode(event))
            except BrokenPipeError as gone:
                self._gone = gone

    def tick(self) -> None:
        """Raise BrokenPipeError once the reader has gone, which ends the search."""
        if self._gone is not None:
            raise self._gone

    def close(self) -> None:
        """Do nothing, because every line has been written."""


def write_line(stream: TextIO, message: dict[str, Any]) -> None:
    """Write one JSON object as a flushed line of ASCII, which every locale can carry."""
    stream.write(json.dumps(message) + "\n")
    stream.flush()
