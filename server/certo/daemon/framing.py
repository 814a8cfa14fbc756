"""The envelope every message comes in: JSON-RPC 2.0 in frames, on streams Content-Length; read before the imports.

Nothing here may import `typing`, `dataclasses` or anything heavier: that alone would double the time to the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002

Message = dict[str, object]
"""One decoded JSON-RPC message."""

MAX_HEAD = 8 * 1024
"""Bytes of headers after which we stop believing that an end of them will come."""

MAX_BODY = 256 * 1024 * 1024
"""Bytes of body we are willing to hold; editors send a document of some megabytes at most."""

# Not anchored on purpose: after a head that could not be read, its body looks like the beginning of the next head, and
# the next frame is found again behind it. The name is compared without regard to case, as in HTTP.
_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*(?:\r\n|$)", re.IGNORECASE)


class Refused(Exception):
    """A message that gets an error for an answer; `id` is None when it could not be read.

    `data` is what the error says besides, where it says more.
    """

    def __init__(
        self,
        code: int,
        message: str,
        id: int | str | None = None,  # noqa: A002 - JSON-RPC's own word
        data: object = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id
        self.data = data

    def answer(self) -> Message:
        """The JSON-RPC message that says so."""
        error: Message = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


class Frames:
    """Takes bytes as they come and gives whole bodies, in order; keeps what is not whole yet.

    `ended` says that no more will come although the stream is open; that is told by the end of a stream alone.
    """

    ended = False

    def __init__(self) -> None:
        self._received = bytearray()
        self._length: int | None = None
        self._skip = 0

    def feed(self, received: bytes) -> None:
        """Take the next bytes of the stream."""
        self._received += received

    def bodies(self) -> Iterator[bytes | Refused]:
        """Every whole body so far; a frame that cannot be read comes as the refusal that answers it."""
        while (body := self._next()) is not None:
            yield body

    def wrap(self, body: bytes) -> bytes:
        """Make one frame of a body."""
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def farewell(self) -> bytes:
        """What is said before the stream is closed: nothing."""
        return b""

    def _next(self) -> bytes | Refused | None:
        dropped = min(self._skip, len(self._received))
        del self._received[:dropped]
        self._skip -= dropped
        if self._skip:
            return None
        if self._length is None:
            refused = self._read_head()
            if refused is not None or self._length is None:
                return refused
        if len(self._received) < self._length:
            return None
        body = bytes(self._received[: self._length])
        del self._received[: self._length]
        self._length = None
        return body

    def _read_head(self) -> Refused | None:
        end = self._received.find(b"\r\n\r\n", 0, MAX_HEAD)
        if end < 0 and len(self._received) < MAX_HEAD:
            return None
        head = bytes(self._received[: end + 2 if end >= 0 else MAX_HEAD])
        del self._received[: end + 4 if end >= 0 else MAX_HEAD]
        if end < 0:
            return Refused(PARSE_ERROR, f"the headers of a message did not end within {MAX_HEAD} bytes")
        found = _CONTENT_LENGTH.search(head)
        if found is None:
            return Refused(PARSE_ERROR, "a message had no readable Content-Length header")
        length = int(found[1])
        if length > MAX_BODY:
            self._skip = length
            return Refused(PARSE_ERROR, f"a message of {length} bytes is more than the {MAX_BODY} that are taken")
        self._length = length
        return None


def encode(message: object, default: Callable[[object], object] | None = None) -> bytes:
    """Make the body of a message, to which a frame is still wanting.

    Raises:
        TypeError, ValueError, RecursionError: it cannot be said in JSON.
    """
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=default).encode("ascii")


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    """Read a number with a fraction or an exponent; one that is beyond every float could not be sent back."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
"""Python's own also takes NaN and Infinity, which are no JSON, and which nothing could be answered with."""


def decode(body: bytes) -> Message:
    """Read one body to a request, a notification or a response whose envelope is sound.

    Raises:
        Refused: it is none of these; the refusal answers it, under its own id when that could be read.
    """
    try:
        # Given bytes, json would also take UTF-16, and halves of surrogate pairs that no UTF-8 has.
        message = _DECODER.decode(body.decode("utf-8"))
    except RecursionError:
        raise Refused(PARSE_ERROR, "a message was nested too deeply to be read") from None
    except ValueError as error:
        raise Refused(PARSE_ERROR, f"a message was not JSON in UTF-8: {error}") from None
    if not isinstance(message, dict):
        raise Refused(INVALID_REQUEST, "a message must be one JSON object; batches are no part of LSP")
    id_ = message.get("id")
    if "id" in message and (isinstance(id_, bool) or not isinstance(id_, int | str)):
        if "error" in message and id_ is None:
            return message  # the peer could not read one of ours: that is for the log, and must not be answered
        raise Refused(INVALID_REQUEST, "the id of a message must be an integer or a string")
    if message.get("jsonrpc") != "2.0":
        raise Refused(INVALID_REQUEST, 'a message must say "jsonrpc": "2.0"', id_)
    if "method" in message:
        if not isinstance(message["method"], str):
            raise Refused(INVALID_REQUEST, "the method of a message must be a string", id_)
    elif "id" not in message or ("result" not in message and "error" not in message):
        raise Refused(INVALID_REQUEST, "a message must have a method, a result or an error", id_)
    return message


def is_request(message: Message) -> bool:
    """Whether somebody waits for an answer to this message."""
    return "method" in message and "id" in message
