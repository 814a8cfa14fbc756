"""Connection of one client, from its greeting to its end: server, protocol and output queue."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from anyio.abc import TaskGroup

from certo.daemon.handshake import Greeting
from certo.daemon.reader import listen
from certo.daemon.server import Server
from certo.daemon.writer import Outbox

FLUSH_SECONDS = 1.0
"""Maximum time for writing the last messages to a client."""

Assemble = Callable[[Server, TaskGroup], None]
"""Registers features with a server; receives the task group of its client's background work."""


class ClientConnection:
    """Conversation with one client; it shares nothing with other clients' conversations."""

    def __init__(self, sink: int) -> None:
        """Write to the file descriptor `sink`."""
        self.server = Server()
        self.life = self.server.protocol.life
        self.outbox = Outbox(sink, lost=self.life.leave)

    @property
    def was_shut_down(self) -> bool:
        """True if the client has sent `shutdown`."""
        return self.server.protocol.was_shut_down

    async def hold(self, greeting: Greeting, assemble: Assemble) -> None:
        """Serve a greeted client until it leaves; work started for it alone ends with it."""
        protocol = self.server.protocol
        protocol.wrap = greeting.frames.wrap
        protocol.set_writer(self.outbox)
        async with anyio.create_task_group() as line:
            line.start_soon(self.outbox.drain)
            async with anyio.create_task_group() as work:
                protocol.begin(greeting.params)
                assemble(self.server, work)
                line.start_soon(self._listen, greeting)
                await self.life.ending.wait()
                work.cancel_scope.cancel()
            self.life.reaped.set()
            await self.life.leaving.wait()
            await self._take_leave(greeting)
            line.cancel_scope.cancel()
        self.outbox.close()

    async def _listen(self, greeting: Greeting) -> None:
        await listen(greeting.source, greeting.frames, self.server.protocol.receive, first=greeting.unanswered)
        self.life.leave()

    async def _take_leave(self, greeting: Greeting) -> None:
        """Cancel every running request and send the answers to the client."""
        protocol = self.server.protocol
        protocol.abandon_questions()
        if not self.was_shut_down:
            protocol.cancel_requests()
        await protocol.requests_done()
        if farewell := greeting.frames.farewell():
            self.outbox.write(farewell)
        with anyio.move_on_after(FLUSH_SECONDS):
            await self.outbox.flush()
