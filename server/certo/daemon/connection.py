"""Connection of one client, from its greeting to its end: server, protocol and output queue."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import Any

import anyio
from anyio.abc import TaskGroup
from cattrs import Converter
from lsprotocol import types

from certo.daemon.capabilities import position_encoding
from certo.daemon.framing import Message
from certo.daemon.handshake import Greeting
from certo.daemon.reader import listen
from certo.daemon.server import Server
from certo.daemon.writer import Outbox

logger = logging.getLogger(__name__)


def initialize_request(params: Message, converter: Converter) -> types.InitializeRequest:
    """Return LSP's type of params that passed the handshake.

    The client has its answer and can no longer be refused, so parts with wrong types are left out and logged. The
    position encoding is the one that was answered.
    """
    capabilities = params["capabilities"]
    assert isinstance(capabilities, dict)  # the handshake has seen to it
    legible = _legible(capabilities, lambda part: converter.structure(part, types.ClientCapabilities), {})
    general = legible.get("general") or {}
    legible["general"] = {**general, "positionEncodings": [position_encoding(capabilities)]}
    rest = {name: value for name, value in params.items() if name != "capabilities"}
    rest = _legible(rest, lambda part: converter.structure(part, types.InitializeParams), {"capabilities": {}})
    structured = converter.structure({**rest, "capabilities": legible}, types.InitializeParams)
    return types.InitializeRequest(id=f"replay:{uuid.uuid4()}", params=structured)


def _legible(
    parts: dict[str, Any], structure: Callable[[dict[str, Any]], object], required: dict[str, Any]
) -> dict[str, Any]:
    """Return those of `parts` that can be structured."""
    kept = {}
    for name, value in parts.items():
        try:
            structure({**required, name: value})
        except Exception:  # cattrs raises whatever the classes it calls raise
            logger.warning("left out %s of initialize: it is not what LSP says it is", name, exc_info=True)
        else:
            kept[name] = value
    return kept


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
                assemble(self.server, work)
                protocol.replay(initialize_request(greeting.params, self.server.converter))
                line.start_soon(self._listen, greeting)
                await self.life.ending.wait()
                work.cancel_scope.cancel()
            self.life.reaped.set()
            await self.life.leaving.wait()
            await self._take_leave(greeting)
            line.cancel_scope.cancel()
        self.outbox.close()

    async def _listen(self, greeting: Greeting) -> None:
        await listen(greeting.source, greeting.frames, self.server.protocol.receive)
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
