"""Output of the candidate's process: prints, log records and warnings, sent with its next message."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from typing import Any, Dict, List, Type

MAX_ITEMS = 1 << 20
"""Characters kept between two messages; more is dropped."""


class _Text(io.TextIOBase):
    def __init__(self, printed: Printed, stream: str, encoding: str):
        self._printed = printed
        self._stream = stream
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a property there too, for a text stream of its own encoding
        return self._encoding

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        self._printed.add([self._stream, text])
        return len(text)


class _Records(logging.Handler):
    def __init__(self, printed: Printed):
        super().__init__()
        self._printed = printed

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
        except Exception as error:
            text = "<a record that cannot be formatted: {}>".format(error)
        self._printed.add(["logged", text, record.name, record.levelno])


class Printed:
    """A buffer in place of the standard streams, the root logger's handlers and the display of warnings."""

    def __init__(self) -> None:
        self._pieces: List[List[Any]] = []
        self._room = MAX_ITEMS

    def install(self) -> None:
        """Capture all output from now on."""
        sys.stdout = _Text(self, "stdout", sys.stdout.encoding)
        sys.stderr = _Text(self, "stderr", sys.stderr.encoding)
        root = logging.getLogger()
        root.addHandler(_Records(self))
        # Every level is captured, because the loggers of the test process filter the records.
        root.setLevel(1)
        warnings.simplefilter("always")
        setattr(warnings, "showwarning", self._warn)  # noqa: B010 - assigning to a function is what type checkers forbid

    def add(self, piece: List[Any]) -> None:
        """Append one piece of output, if there is room."""
        self._room -= len(piece[1])
        if self._room >= 0:
            self._pieces.append(piece)

    def take(self) -> List[List[Any]]:
        """Return the pieces captured so far and empty the buffer."""
        pieces, self._pieces, self._room = self._pieces, [], MAX_ITEMS
        return pieces

    def _warn(
        self,
        message: Any,
        category: Type[Warning],
        filename: str,
        lineno: int,
        *_place: Any,
        **_more: Any,
    ) -> None:
        self.add(["warned", str(message), category.__name__, filename, lineno])


def show(pieces: Any, categories: Dict[str, Type[Warning]]) -> None:
    """Print, log and warn in the test process; malformed pieces are ignored."""
    for piece in pieces if isinstance(pieces, list) else []:
        if not isinstance(piece, list) or len(piece) < 2 or not all(isinstance(each, (str, int)) for each in piece):
            continue
        if piece[0] in ("stdout", "stderr"):
            getattr(sys, piece[0]).write(str(piece[1]))
        elif piece[0] == "logged" and len(piece) == 4 and isinstance(piece[3], int):
            logger = logging.getLogger(str(piece[2]))
            if logger.isEnabledFor(piece[3]):
                logger.handle(logger.makeRecord(logger.name, piece[3], "", 0, str(piece[1]), (), None))
        elif piece[0] == "warned" and len(piece) == 5 and isinstance(piece[4], int):
            category = categories.get(str(piece[2]), UserWarning)
            warnings.warn_explicit(str(piece[1]), category, str(piece[3]), piece[4])
