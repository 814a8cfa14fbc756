"""A client that reads on demand: the daemon's own outbox on a real pipe, and the messages that came out of it."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio

from certo.daemon.framing import Frames
from certo.daemon.server import Server
from certo.daemon.writer import Outbox
from certo.features.editor.window import EditorWindow


class Reader:
    """The other end of one client's window; `messages` are those it has read."""

    def __init__(self, source: int, outbox: Outbox, window: EditorWindow) -> None:
        self.window = window
        self.outbox = outbox
        self.messages: list[dict[str, Any]] = []
        self._source = source
        self._frames = Frames()
        self._news = anyio.Event()

    def read(self) -> bool:
        """Read the bytes that are there now, and return True if there were any."""
        try:
            self._frames.feed(os.read(self._source, 1 << 20))
        except BlockingIOError:
            return False
        self.messages += [json.loads(body) for body in self._frames.bodies() if isinstance(body, bytes)]
        return True

    async def read_on(self) -> None:
        """Read everything that comes, until cancelled."""
        while True:
            await anyio.wait_readable(self._source)
            self.read()
            self._news.set()
            self._news = anyio.Event()

    async def has_read(self, token: int | str, seq: int) -> None:
        """Wait until `read_on` has read the event of this number."""
        with anyio.fail_after(500):
            while not any(event["seq"] == seq for event in self.events(token)[-1:]):
                await self._news.wait()

    def events(self, token: int | str) -> list[dict[str, Any]]:
        """Return the events that came with a token."""
        told = [message["params"] for message in self.messages if message.get("method") == "$/progress"]
        return [event for params in told if params["token"] == token for event in params["value"]]


@asynccontextmanager
async def reader() -> AsyncIterator[Reader]:
    """Yield a client that reads nothing until told to."""
    source, sink = os.pipe()
    os.set_blocking(source, False)
    outbox = Outbox(sink, lost=lambda: None)
    server = Server()
    server.protocol.set_writer(outbox)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(outbox.drain)
            yield Reader(source, outbox, EditorWindow(server))
            group.cancel_scope.cancel()
    finally:
        os.close(sink)
        os.close(source)
