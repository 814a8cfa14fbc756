"""What goes to the client: written at once when it can be, queued when the client does not read, never waited for."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable

import anyio

logger = logging.getLogger(__name__)

MAX_BACKLOG = 64 * 1024 * 1024
"""Bytes that may wait for a client that does not read; beyond that it is taken for gone."""


FULL = 256 * 1024
"""Bytes that may wait before those who can wait are asked to: it is what a client costs that reads nothing."""

ROOM = 64 * 1024
"""Bytes that may still wait when they are asked to go on, so that they do not go on for each message alone."""


class Outbox:
    """The writer pygls is given. `write` never blocks; `drain`, running in the background, writes what had to wait.

    When the client has closed its end, or lets more than LARGEST_BACKLOG bytes wait, `lost` is called once and whatever
    is written later is dropped.
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
        """How many bytes wait."""
        return self._backlog

    @property
    def is_full(self) -> bool:
        """Whether so much waits that what can be told later should be."""
        return self._backlog > FULL

    async def room(self) -> None:
        """Wait until no more than ROOM bytes wait, or nobody will read them."""
        while self._backlog > ROOM:
            self._eased = anyio.Event() if self._eased.is_set() else self._eased
            await self._eased.wait()

    def write(self, frame: bytes) -> None:
        """Send one frame, now or as soon as the client reads."""
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
        """Write what waits whenever the client reads; runs until it is cancelled."""
        while True:
            await self._filled.wait()
            while self._waiting:
                await anyio.wait_writable(self.sink)
                self._push()
            self._filled = anyio.Event()

    async def flush(self) -> None:
        """Wait until nothing waits any more."""
        while self._waiting:
            self._emptied = anyio.Event()
            await self._emptied.wait()

    def close(self) -> None:
        """Leave the stream as it was found: other processes may share it."""
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
