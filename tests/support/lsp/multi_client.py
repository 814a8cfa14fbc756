"""A daemon on sockets of this machine, and the clients that connect to it.

    async with a_company() as company, company.client("tcp") as one, company.client("ws") as other:
        ...

A client that leaves its block shuts its conversation down as an editor does, unless the test has ended it already.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import ByteStream
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, RejectConnection, RejectData, Request, TextMessage
from wsproto.utilities import LocalProtocolError

from support.cli.command import EAGER
from support.lsp.editor import Editor, editor_at
from support.lsp.peer import PATIENCE, Peer
from support.projects.bare_environment import bare_environ

TRANSPORTS = ("tcp", "ws")


class Rejected(Exception):
    """The server refused this WebSocket; its status and its words."""


class WebSocketLine(ByteStream):
    """A client's end of a WebSocket, used as a stream: frames of Content-Length go in and come out."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._socket = WSConnection(ConnectionType.CLIENT)
        self._text = ""
        self._ended = False

    async def open(self, host: str, origin: str | None = None) -> None:
        """Request the WebSocket.

        Raises:
            Rejected: it is not granted.
        """
        headers = [] if origin is None else [(b"origin", origin.encode())]
        await self._stream.send(self._socket.send(Request(host=host, target="/", extra_headers=headers)))
        status, words = 0, b""
        while True:
            self._socket.receive_data(await self._stream.receive())
            for event in self._socket.events():
                match event:
                    case AcceptConnection():
                        return
                    case RejectConnection():
                        status = event.status_code
                    case RejectData():
                        words += bytes(event.data)
                        if event.body_finished:
                            raise Rejected(f"{status}: {words.decode()}")

    async def send(self, item: bytes) -> None:
        """Send whole frames, each as a message.

        Raises:
            BrokenResourceError: the other side has said goodbye.
        """
        while item:
            head, _, rest = item.partition(b"\r\n\r\n")
            length = int(head.partition(b": ")[2])
            try:
                framed = self._socket.send(TextMessage(data=rest[:length].decode()))
            except LocalProtocolError as closed:
                raise anyio.BrokenResourceError from closed
            await self._stream.send(framed)
            item = rest[length:]

    async def send_raw(self, sent: bytes) -> None:
        """Send bytes that need not be valid."""
        await self._stream.send(sent)

    async def ping(self) -> None:
        """Send a ping, which is answered automatically."""
        await self._stream.send(self._socket.send(Ping(payload=b"are you there?")))

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """Return the next messages as frames."""
        while True:
            received = b""
            for event in self._socket.events():
                match event:
                    case TextMessage():
                        self._text += event.data
                        if event.message_finished:
                            body, self._text = self._text.encode(), ""
                            received += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
                    case CloseConnection():
                        self._ended = True
            if received:
                return received
            if self._ended:
                raise anyio.EndOfStream
            self._socket.receive_data(await self._stream.receive())

    async def send_eof(self) -> None:
        """Send the closing message."""
        with suppress(anyio.BrokenResourceError):
            await self._stream.send(self._socket.send(CloseConnection(code=1000)))

    async def aclose(self) -> None:
        """Drop the line."""
        await self._stream.aclose()


class Company:
    """One daemon; `where` is the announcement of each of its transports."""

    def __init__(self, process: subprocess.Popen[bytes], where: dict[str, dict[str, Any]], token: str) -> None:
        self.process = process
        self.where = where
        self.token = token

    async def line(self, transport: str, **opening: Any) -> ByteStream:
        """Return a connection that has sent nothing yet."""
        host, port = self.where[transport]["host"], self.where[transport]["port"]
        stream = await anyio.connect_tcp(host, port)
        if transport == "tcp":
            return stream
        line = WebSocketLine(stream)
        try:
            await line.open(**{"host": f"{host}:{port}"} | opening)
        except BaseException:
            await stream.aclose()
            raise
        return line

    @asynccontextmanager
    async def stranger(self, transport: str, **opening: Any) -> AsyncIterator[Peer]:
        """Yield a client that has sent nothing yet."""
        line = await self.line(transport, **opening)
        peer = Peer(self.process, line)
        async with line, anyio.create_task_group() as background:
            background.start_soon(peer.read)
            yield peer
            peer.resume()
            background.cancel_scope.cancel()
        peer.settle()

    @asynccontextmanager
    async def client(self, transport: str, editor: str = "neovim") -> AsyncIterator[Peer]:
        """Yield an initialized client; leaving the block ends its conversation."""
        async with self.stranger(transport) as peer:
            await peer.initialize(editor, initializationOptions={"certo": {"token": self.token}})
            yield peer
            await _leave(peer)

    @asynccontextmanager
    async def editor(self, transport: str, root: Path, **more: Any) -> AsyncIterator[Editor]:
        """Yield an initialized client with documents; `more` are further options of `editor_at`."""
        async with self.stranger(transport) as peer:
            yield await editor_at(peer, root, token=self.token, **more)
            await _leave(peer)

    def descriptors(self) -> int:
        """Return the number of files and sockets that the daemon has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    async def has_open(self, descriptors: int) -> None:
        """Wait until the daemon has at most this many descriptors open."""
        with anyio.fail_after(PATIENCE):
            while self.descriptors() > descriptors:  # noqa: ASYNC110 - nobody tells when another process closes a file
                await anyio.sleep(0.01)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End the daemon and return its exit code."""
        self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for the end of the daemon and return its exit code."""
        return await anyio.to_thread.run_sync(partial(self.process.wait, PATIENCE))


async def _leave(peer: Peer) -> None:
    """End a conversation as an editor does, unless it has ended."""
    peer.resume()
    if not peer.gone.is_set():
        await peer.request("shutdown")
        await peer.notify("exit")
        with anyio.fail_after(PATIENCE):
            await peer.gone.wait()


@contextmanager
def standing(
    *flags: str,
    cwd: Path | None = None,
    transports: tuple[str, ...] = TRANSPORTS,
    environment: dict[str, str] | None = None,
) -> Iterator[Company]:
    """Yield a daemon on free ports, for one test or for several: it belongs to no event loop."""
    command = [*EAGER, "serve", *flags]
    for name in transports:
        command += [f"--{name}", "0"]
    environ = bare_environ() | (environment or {})
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with TemporaryFile() as log, subprocess.Popen(command, cwd=cwd, env=environ, stderr=log, **streams) as process:
        try:
            assert process.stdout is not None
            said = [json.loads(process.stdout.readline())["certo"] for _ in transports]
            file = said[0]["tokenFile"]
            token = environ["CERTO_TOKEN"] if file is None else Path(file).read_text()
            yield Company(process, {told["transport"]: told for told in said}, token)
            if process.poll() is None:
                process.terminate()
                assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
        log.seek(0)
        logged = log.read().decode("utf-8", "replace")
    assert "Traceback" not in logged, logged


@asynccontextmanager
async def a_company(*flags: str, **more: Any) -> AsyncIterator[Company]:
    """Yield a daemon on free ports for one test."""
    with standing(*flags, **more) as company:
        yield company
