"""Lifecycle of a process that serves several clients, each with its own conversation and all with shared searches."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from functools import partial

import anyio
from anyio.abc import TaskGroup

from certo.daemon.assembly import assemble
from certo.daemon.authentication import Authenticator
from certo.daemon.connection import Assemble, ClientConnection
from certo.daemon.framing import INVALID_REQUEST, Frames, Message, Refused, decode, encode, is_request
from certo.daemon.handshake import Greeting, read_initialize, welcome
from certo.daemon.lifecycle import bound_the_end, run
from certo.daemon.listener import ListeningSocket
from certo.daemon.reader import MessageFraming, read
from certo.daemon.stages import ENDING_SIGNALS
from certo.daemon.websocket import WebSocketFrames
from certo.daemon.writer import Outbox
from certo.features.errors import failure
from certo.sessions.searches import Searches
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects
from certo.vocabulary.errors import NotAuthorised

GREETING_SECONDS = 30.0
"""Maximum time for a client to send `initialize`."""

MAX_GREETING = 4 * 1024 * 1024
"""Maximum length of an unauthorised first message in bytes; an `initialize` has some ten thousand."""


async def greet(
    source: int, frames: MessageFraming, outbox: Outbox, guard: Authenticator, heard: Callable[[], None]
) -> Greeting | None:
    """Answer the first `initialize` with the token and return it; None for any other client.

    Others get one error and no second try. `heard` is called when any first message has arrived.
    """
    with anyio.move_on_after(GREETING_SECONDS):
        body = await _first_body(source, frames)
        if body is None:
            return None
        heard()
        try:
            id_, params = await _admitted(body, guard)
        except Refused as refused:
            outbox.write(frames.wrap(encode(refused.answer())))
            return None
        outbox.write(frames.wrap(encode(welcome(id_, params))))
        return Greeting(params, source, outbox.sink, frames)
    return None


async def _first_body(source: int, frames: MessageFraming) -> bytes | Refused | None:
    """Return the first message; None if none comes or it is too long."""
    taken = 0
    while taken < MAX_GREETING and not frames.ended:
        received = await read(source)
        if not received:
            return None
        taken += len(received)
        frames.feed(received)
        for body in frames.bodies():
            return body
    return None


async def _admitted(body: bytes | Refused, guard: Authenticator) -> tuple[int | str, Message]:
    """Return the id and params of an authorised `initialize`.

    Raises:
        Refused: The first message is no `initialize`, or lacks the token.
    """
    if isinstance(body, Refused):
        raise body
    message = decode(body)
    if not is_request(message):
        raise Refused(INVALID_REQUEST, "the first message has to be initialize")
    id_, params = read_initialize(message)
    try:
        await guard.admit(params)
    except NotAuthorised as error:
        told = failure(error, params)
        raise Refused(told.code, str(error), id_, told.data) from None
    return id_, params


logger = logging.getLogger(__name__)

MAX_STRANGERS = 32
"""Maximum number of concurrent connections that have not shown the token."""

_BREATH_SECONDS = 0.1
"""Pause after the system refused to accept a connection, for instance because too many files are open."""

_TICK_SECONDS = 1.0
"""Interval at which a daemon that ends when idle checks for clients."""


def serve(entrances: Sequence[ListeningSocket], guard: Authenticator, idle_seconds: float | None) -> int:
    """Serve clients until a signal, or until none was connected for `idle_seconds`; return 0."""
    return run(partial(_live, entrances, guard, idle_seconds))


async def _live(entrances: Sequence[ListeningSocket], guard: Authenticator, idle_seconds: float | None) -> int:
    with anyio.open_signal_receiver(*ENDING_SIGNALS) as signals:
        async with anyio.create_task_group() as root, anyio.create_task_group() as work:
            projects = WarmProjects(work, prepares_next=True)
            searches = Searches(work, journals=journal_folder(os.environ), projects=projects)
            company = MultiClientServer(guard, lambda server, group: assemble(server, group, searches))
            root.start_soon(bound_the_end, company.ending)
            root.start_soon(_end_on_signal, signals, company.ending)
            if idle_seconds is not None:
                root.start_soon(_end_when_idle, company, searches, idle_seconds)
            await company.keep(entrances)
            work.cancel_scope.cancel()
            root.cancel_scope.cancel()
    return 0


async def _end_on_signal(signals: AsyncIterator[signal.Signals], ending: anyio.Event) -> None:
    async for _ in signals:
        ending.set()


async def _end_when_idle(company: MultiClientServer, searches: Searches, idle_seconds: float) -> None:
    """End an idle daemon: no client has been connected for so long, and no search has been running."""
    while True:
        await anyio.sleep(min(idle_seconds, _TICK_SECONDS))
        if any(live.running for live in searches):
            company.stir()
        if company.idle_seconds >= idle_seconds:
            company.ending.set()


class MultiClientServer:
    """Server of all connected clients, each with a conversation of its own; `ending` asks them all to leave."""

    def __init__(self, guard: Authenticator, assemble: Assemble) -> None:
        self._guard = guard
        self._assemble = assemble
        self._conversations: set[ClientConnection] = set()
        self._strangers: set[anyio.CancelScope] = set()
        self._silent: deque[anyio.CancelScope] = deque()
        self._room = anyio.Semaphore(MAX_STRANGERS)
        self._stirred = anyio.current_time()
        self.ending = anyio.Event()

    @property
    def idle_seconds(self) -> float:
        """Time without any client, in seconds."""
        return 0.0 if self._conversations else anyio.current_time() - self._stirred

    def stir(self) -> None:
        """Record that the daemon is in use now."""
        self._stirred = anyio.current_time()

    async def keep(self, entrances: Sequence[ListeningSocket]) -> None:
        """Accept clients until `ending`; return when the last has left and every socket is closed."""
        async with anyio.create_task_group() as clients:
            async with anyio.create_task_group() as porters:
                for entrance in entrances:
                    porters.start_soon(self._mind, entrance, clients)
                await self.ending.wait()
                porters.cancel_scope.cancel()
            for conversation in self._conversations:
                conversation.life.leave()
            for scope in self._strangers:
                scope.cancel()

    async def _mind(self, entrance: ListeningSocket, clients: TaskGroup) -> None:
        """Accept clients on one socket."""
        with entrance.listener as listener:
            while True:
                await anyio.wait_readable(listener)
                if self._room.value == 0 and self._silent:
                    # The connection that has been silent for longest makes room, so that silence cannot keep others
                    # out. If all have shown a wrong token, the next connection waits until they have been answered.
                    self._silent.popleft().cancel()
                await self._room.acquire()
                connection = await _accept(listener)
                clients.start_soon(self._attend, connection, entrance.transport)

    async def _attend(self, connection: socket.socket, transport: str) -> None:
        """Serve one connection; its errors do not affect others."""
        try:
            with connection, ExitStack() as stranger:
                stranger.callback(self._room.release)
                connection.settimeout(0)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await self._converse(connection.fileno(), transport, stranger)
        except Exception:
            logger.exception("a conversation met a bug; its client is gone, the others are not")

    async def _converse(self, source: int, transport: str, stranger: ExitStack) -> None:
        """Greet and serve a client; `stranger` is released as soon as the client is identified."""
        conversation = ClientConnection(source)
        frames: MessageFraming = Frames()
        if transport == "ws":
            frames = WebSocketFrames(self._guard.objection, conversation.outbox.write)
        scope = stranger.enter_context(anyio.CancelScope())
        self._strangers.add(scope)
        stranger.callback(self._strangers.discard, scope)
        self._silent.append(scope)

        def heard() -> None:
            if scope in self._silent:
                self._silent.remove(scope)

        stranger.callback(heard)
        greeting = await greet(source, frames, conversation.outbox, self._guard, heard)
        stranger.close()
        if greeting is None or self.ending.is_set():
            if farewell := frames.farewell():
                conversation.outbox.write(farewell)
            return
        self._conversations.add(conversation)
        try:
            await conversation.hold(greeting, self._assemble)
        finally:
            self._conversations.discard(conversation)
            self.stir()


async def _accept(listener: socket.socket) -> socket.socket:
    """Return the next connection."""
    while True:
        await anyio.wait_readable(listener)
        try:
            return listener.accept()[0]
        except (BlockingIOError, ConnectionError):
            continue
        except OSError as error:
            logger.warning("nobody can be let in: %s", error)
            await anyio.sleep(_BREATH_SECONDS)
