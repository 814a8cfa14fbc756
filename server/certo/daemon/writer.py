"""Output to a client: written at once if possible, queued if the client does not read, never waited for."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable

import anyio

logger = logging.getLogger(__name__)

MAX_BACKLOG = 64 * 1024 * 1024
"""Maximum number of queued bytes; beyond it the client counts as gone."""


FULL = 256 * 1024
"""Number of queued bytes from which on optional messages should wait; it bounds the memory of an unread client."""

ROOM = 64 * 1024
"""Number of queued bytes at which waiting messages may go on, well below FULL so that they go in batches."""


class Outbox:
    """Writer for pygls. `write` never blocks; `drain`, a background task, writes the queue.

    If the client has closed its end, or more than MAX_BACKLOG bytes are queued, `lost` is called once and later output
    is dropped.
    """

    def __init__(self, sink: int, lost: Callable[[], None]) -> None:
        os.set_blocking(sink, False)
        self.sink = sink
        self._lost = lost
        self._gone = False
        self._waiting: deque[memoryview] = deque()
        self._backlog = 0
        self._filled = anyio.Event()
        self._emptied = anyio.Event()
        self._eased = anyio.Event()

    @property
    def waiting(self) -> int:
        """Number of queued bytes."""
        return self._backlog

    @property
    def is_full(self) -> bool:
        """True if optional messages should wait."""
        return self._backlog > FULL

    async def room(self) -> None:
        """Wait until at most ROOM bytes are queued, or the client is gone."""
        while self._backlog > ROOM:
            self._eased = anyio.Event() if self._eased.is_set() else self._eased
            await self._eased.wait()

    def write(self, frame: bytes) -> None:
        """Write one frame now, or queue it."""
        if self._gone:
            return
        idle = not self._waiting
        self._waiting.append(memoryview(frame))
        self._backlog += len(frame)
        if idle:
            self._push()
        if self._backlog > MAX_BACKLOG:
            self._lose(f"the client left {self._backlog} bytes unread")
        elif self._waiting:
            self._filled.set()

    async def drain(self) -> None:
        """Write the queue whenever the client reads; runs until cancelled."""
        while True:
            await self._filled.wait()
            while self._waiting:
                await anyio.wait_writable(self.sink)
                self._push()
            self._filled = anyio.Event()

    async def flush(self) -> None:
        """Wait until the queue is empty."""
        while self._waiting:
            self._emptied = anyio.Event()
            await self._emptied.wait()

    def close(self) -> None:
        """Restore the stream's mode: other processes may share it."""
        self._gone = True
        os.set_blocking(self.sink, True)

    def _push(self) -> None:
        try:
            while self._waiting:
                written = os.write(self.sink, self._waiting[0])
                self._backlog -= written
                rest = self._waiting[0][written:]
                if rest:
                    self._waiting[0] = rest
                else:
                    self._waiting.popleft()
        except BlockingIOError:
            pass
        except OSError as error:
            self._lose(f"the client's end cannot be written to: {error}")
        if self._backlog <= ROOM:
            self._eased.set()
        if not self._waiting:
            self._emptied.set()

    def _lose(self, why: str) -> None:
        logger.warning("%s; leaving", why)
        self._gone = True
        self._waiting.clear()
        self._backlog = 0
        self._eased.set()
        self._emptied.set()
        self._lost()
