"""What comes from the client: bytes off the stream, message by message, until the stream ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Protocol

import anyio
from anyio.lowlevel import checkpoint

from certo.daemon.framing import Refused

_CHUNK = 64 * 1024


class MessageFraming(Protocol):
    """How messages are told apart in the bytes of one connection, in both directions."""

    @property
    def ended(self) -> bool:
        """Whether the client has said that no more will come."""
        ...

    def feed(self, received: bytes, /) -> None:
        """Take the next bytes of the stream."""
        ...

    def bodies(self) -> Iterator[bytes | Refused]:
        """Every whole body so far; a frame that cannot be read comes as the refusal that answers it."""
        ...

    def wrap(self, body: bytes, /) -> bytes:
        """Make one frame of a body."""
        ...

    def farewell(self) -> bytes:
        """What is said before the stream is closed, if anything is."""
        ...


async def listen(source: int, frames: MessageFraming, receive: Callable[[bytes | Refused], None]) -> None:
    """Hand every message to `receive`, what `frames` already holds first; return at the end of the stream.

    Between two messages the loop gets its turn, so that the handler of the first has begun, and has seen the documents
    as they were, before the second can change them.
    """
    os.set_blocking(source, False)
    try:
        while True:
            for body in frames.bodies():
                receive(body)
                await checkpoint()
            if frames.ended:
                return
            received = await read(source)
            if not received:
                return
            frames.feed(received)
    finally:
        os.set_blocking(source, True)  # others may share the stream


async def read(source: int) -> bytes:
    """The next bytes of a stream that does not block; none at its end, however it came."""
    while True:
        await checkpoint()  # a client that never pauses must not keep the loop from everybody else
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            await anyio.wait_readable(source)
        except ConnectionError:
            return b""
