"""Input from a client: reads bytes and dispatches messages until the stream ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Protocol

import anyio
from anyio.lowlevel import checkpoint

from certo.daemon.framing import Refused

_CHUNK = 64 * 1024


class MessageFraming(Protocol):
    """Framing of one connection, in both directions."""

    @property
    def ended(self) -> bool:
        """True if the client has announced the end of its messages."""
        ...

    def feed(self, received: bytes, /) -> None:
        """Add the next bytes of the stream."""
        ...

    def bodies(self) -> Iterator[bytes | Refused]:
        """Yield every whole body so far; an unreadable frame is yielded as its refusal."""
        ...

    def wrap(self, body: bytes, /) -> bytes:
        """Return a body in a frame."""
        ...

    def farewell(self) -> bytes:
        """Return the last bytes before the stream is closed, if there are any."""
        ...


async def listen(
    source: int,
    frames: MessageFraming,
    receive: Callable[[bytes | Refused], None],
    *,
    first: Iterable[bytes | Refused] = (),
) -> None:
    """Pass every message to `receive`, those in `first` and `frames` first; return at the end of the stream.

    Other tasks get a turn between two messages, so that the handler of the first has begun, and has seen the documents
    as they were, before the second can change them.
    """
    os.set_blocking(source, False)
    try:
        while True:
            for body in chain(first, frames.bodies()):
                receive(body)
                await checkpoint()
            if frames.ended:
                return
            received = await read(source)
            if not received:
                return
            frames.feed(received)
            first = ()
    finally:
        os.set_blocking(source, True)  # others may share the stream


async def read(source: int) -> bytes:
    """Return the next bytes of a non-blocking stream; empty at its end, regular or not."""
    while True:
        await checkpoint()  # a client that never pauses must not keep the loop from everybody else
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            await anyio.wait_readable(source)
        except ConnectionError:
            return b""
