"""What comes from the client: bytes off the stream, message by message, until the stream ends."""

from __future__ import annotations

import os
from collections.abc import Callable

import anyio
from anyio.lowlevel import checkpoint

from certo.daemon.envelope import Frames, Refused

_CHUNK = 64 * 1024


async def listen(source: int, frames: Frames, receive: Callable[[bytes | Refused], None]) -> None:
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
            received = await _read(source)
            if not received:
                return
            frames.feed(received)
    finally:
        os.set_blocking(source, True)  # others may share the stream


async def _read(source: int) -> bytes:
    while True:
        await checkpoint()  # a client that never pauses must not keep the loop from everybody else
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            await anyio.wait_readable(source)
        except ConnectionError:
            return b""
