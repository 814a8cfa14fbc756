"""The two ways to a client: standard input and output, and HTTP on a loopback address with the daemon's token."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from anyio.abc import ObjectSendStream
from mcp.server.lowlevel.server import Server
from mcp.shared.message import SessionMessage

from certo.agents.server import AgentServer
from certo.agents.workspace import open_workspace
from certo.daemon.authentication import WRONG_TRY_SECONDS, Authenticator
from certo.daemon.listener import ListeningSocket
from certo.daemon.reader import read
from certo.daemon.stages import ENDING_SIGNALS
from certo.daemon.writer import Outbox
from certo.vocabulary.log_text import LogFormatter

MAX_MESSAGE = 16 * 1024 * 1024
"""Maximum size of a message on standard input in bytes; a longer one is refused."""

_GRACE_SECONDS = 2

Serve = Callable[[Server[Any]], Awaitable[None]]


def run_on_streams(source: int, sink: int, roots: Sequence[Path]) -> int:
    """Serve the client of the standard streams until it leaves or a signal comes; return the exit code."""
    _log_to_stderr()

    async def serve(server: Server[Any]) -> None:
        await _converse(server, source, sink)

    return anyio.run(_until_signal, roots, serve)


def run_on_socket(entrance: ListeningSocket, token: str, origins: Collection[str], roots: Sequence[Path]) -> int:
    """Serve clients over streamable HTTP until a signal comes; return the exit code."""
    _log_to_stderr()

    async def serve(server: Server[Any]) -> None:
        app = TokenGate(server.streamable_http_app(host=entrance.host), token, origins)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        # Without `serve`, which takes the signals for itself and raises them again before anything is cleaned up.
        await uvicorn.Server(config)._serve(sockets=[entrance.listener])

    return anyio.run(_until_signal, roots, serve)


async def _until_signal(roots: Sequence[Path], serve: Serve) -> int:
    """Serve until the client leaves or a signal comes; whatever ran for the client is gone when this returns."""
    code = 0
    with anyio.open_signal_receiver(*ENDING_SIGNALS) as signals:
        async with open_workspace(roots) as workspace, anyio.create_task_group() as group:

            async def listen() -> None:
                nonlocal code
                async for number in signals:
                    code = 128 + number
                    group.cancel_scope.cancel()

            group.start_soon(listen)
            await serve(AgentServer(workspace).build())
            group.cancel_scope.cancel()
    return code


async def _converse(server: Server[Any], source: int, sink: int) -> None:
    """Pass messages between the streams and the server, without a thread that a signal could not end."""
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out_of = anyio.create_memory_object_stream[SessionMessage](0)
    async with AsyncExitStack() as stack:
        for stream in (into, incoming, outgoing, out_of):
            await stack.enter_async_context(stream)
        group = await stack.enter_async_context(anyio.create_task_group())
        outbox = Outbox(sink, group.cancel_scope.cancel)
        stack.callback(outbox.close)

        async def write() -> None:
            async for message in out_of:
                body = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                outbox.write(body.encode("utf-8", "replace") + b"\n")
                await outbox.room()

        group.start_soon(outbox.drain)
        group.start_soon(write)
        group.start_soon(_read_messages, source, into)
        await server.run(incoming, outgoing, server.create_initialization_options())
        with anyio.move_on_after(_GRACE_SECONDS):
            await outbox.flush()
        group.cancel_scope.cancel()


async def _read_messages(source: int, into: ObjectSendStream[SessionMessage | Exception]) -> None:
    """Send each line as a message, or as the error that it is."""
    os.set_blocking(source, False)
    rest, too_long = bytearray(), False
    try:
        async with into:
            while received := await read(source):
                *lines, last = received.split(b"\n")
                for line in lines:
                    whole = bytes(rest + line)
                    rest.clear()
                    if whole.strip() or too_long:
                        await into.send(_message(b"" if too_long else whole))
                    too_long = False
                rest += last
                if len(rest) > MAX_MESSAGE:
                    rest.clear()
                    too_long = True
    finally:
        os.set_blocking(source, True)


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        if len(line) > MAX_MESSAGE:
            raise ValueError("the message is too long")
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter("certo: %(levelname)s: %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


class TokenGate:
    """An ASGI application before another: it lets through who has the token, and no web page of an unknown origin."""

    def __init__(self, app: Any, token: str, origins: Collection[str]) -> None:
        self._app = app
        self._token = token.encode("utf-8", "surrogateescape")
        self._origins = Authenticator(token, origins)
        self._turns = anyio.Lock()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope.get("headers", ())}
        origin = headers[b"origin"].decode("latin-1") if b"origin" in headers else None
        objection = self._origins.objection(headers.get(b"host", b"").decode("latin-1"), origin)
        if objection is not None:
            await _refuse(send, 403, objection)
        elif not self._knows(headers.get(b"authorization", b"")):
            # All wrong tries wait in one queue, so that guessing is slow.
            async with self._turns:
                await anyio.sleep(WRONG_TRY_SECONDS)
            await _refuse(send, 401, "send the token of this server as `Authorization: Bearer TOKEN`")
        else:
            await self._app(scope, receive, send)

    def _knows(self, header: bytes) -> bool:
        kind, _, token = header.partition(b" ")
        return kind.lower() == b"bearer" and secrets.compare_digest(token.strip(), self._token)


async def _refuse(send: Any, status: int, reason: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"www-authenticate", b"Bearer")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode("utf-8")})
