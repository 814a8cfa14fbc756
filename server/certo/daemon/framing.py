"""Framing of messages: JSON-RPC 2.0, with Content-Length headers on streams.

This module is imported before all others and must not import `typing`, `dataclasses` or anything heavier: that alone
would double the time to the first answer.
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
"""Maximum length of the headers in bytes, after which the stream counts as invalid."""

MAX_BODY = 256 * 1024 * 1024
"""Maximum length of a body in bytes; editors send documents of a few megabytes at most."""

# Not anchored on purpose: after an unreadable head, its body looks like the beginning of the next head, and the next
# frame is found again behind it. The name is case-insensitive, as in HTTP.
_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*(?:\r\n|$)", re.IGNORECASE)


class Refused(Exception):
    """A message that is answered with an error; `id` is None if it could not be read.

    `data` holds details of the error, if there are any.
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
        """Return the error response as a JSON-RPC message."""
        error: Message = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


class Frames:
    """Incremental parser of frames: takes bytes and yields whole bodies in order.

    `ended` is always False: only the end of the stream ends it.
    """

    ended = False

    def __init__(self) -> None:
        self._received = bytearray()
        self._length: int | None = None
        self._skip = 0

    def feed(self, received: bytes) -> None:
        """Add the next bytes of the stream."""
        self._received += received

    def bodies(self) -> Iterator[bytes | Refused]:
        """Yield every whole body so far; an unreadable frame is yielded as its refusal."""
        while (body := self._next()) is not None:
            yield body

    def wrap(self, body: bytes) -> bytes:
        """Return a body in a frame."""
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def farewell(self) -> bytes:
        """Return nothing, because a stream is closed without a last message."""
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
    """Return the body of a message, without its frame.

    Raises:
        TypeError, ValueError, RecursionError: It has no form in JSON.
    """
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=default).encode("ascii")


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    """Return a decimal number; raise ValueError if it overflows, because infinity could not be sent back."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
"""JSON decoder that rejects NaN and Infinity, which Python's default accepts although they are no JSON."""


def decode(body: bytes) -> Message:
    """Return the request, notification or response in a body after checking its envelope.

    Raises:
        Refused: It is none of these; the refusal answers it, under its own id if that could be read.
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
    """True if the message expects a response."""
    return "method" in message and "id" in message
