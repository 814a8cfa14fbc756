"""A client that checks nothing and notes the time of each message: in measurements a Peer would count itself."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ByteStream
from anyio.streams.buffered import BufferedByteReceiveStream

from support.lsp.multi_client import Company

Hear = Callable[[str, Any, float], None]
"""Hears a notification: its method, its params, and when it came on the monotonic clock, in seconds."""


Answer = Callable[[str, Any], Any]
"""Returns the result of a request of the server, by its method and params."""


def _null(_method: str, _params: Any) -> None:
    """Answer with null."""


class Light:
    """One conversation; every request of the server is answered with null, unless `answer` says otherwise."""

    def __init__(self, line: ByteStream, hear: Hear, answer: Answer = _null) -> None:
        self._line = line
        self._hear = hear
        self._answer = answer
        self._last = 0
        self._turn = anyio.Lock()
        self._waiting: dict[int, anyio.Event] = {}
        self._answers: dict[int, dict[str, Any]] = {}
        self._is_closed = False

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request, wait, and return the result; an error is raised as RuntimeError.

        Raises:
            ConnectionResetError: the server has closed the line instead of answering.
        """
        self._last += 1
        id_ = self._last
        self._waiting[id_] = anyio.Event()
        await self._send({"id": id_, "method": method, "params": params})
        if not self._is_closed:
            await self._waiting[id_].wait()
        if id_ not in self._answers:
            raise ConnectionResetError(f"{method}: the server has closed the line")
        answer = self._answers.pop(id_)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        await self._send({"method": method, "params": params})

    async def read(self) -> None:
        """Read messages until the server closes its end; who still waits for an answer is told."""
        try:
            await self._read()
        finally:
            self._is_closed = True
            for waiting in self._waiting.values():
                waiting.set()

    async def _read(self) -> None:
        stream = BufferedByteReceiveStream(self._line)
        while True:
            try:
                head = await stream.receive_until(b"\r\n\r\n", 4096)
            except (anyio.IncompleteRead, anyio.EndOfStream, anyio.ClosedResourceError):
                return
            message = json.loads(await stream.receive_exactly(int(head.rpartition(b":")[2])))
            if "method" not in message:
                self._answers[message["id"]] = message
                self._waiting.pop(message["id"]).set()
            elif "id" in message:
                result = self._answer(message["method"], message["params"])
                await self._send({"id": message["id"], "result": result})
            else:
                self._hear(message["method"], message["params"], time.monotonic())

    async def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        async with self._turn:
            await self._line.send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


@asynccontextmanager
async def light(
    company: Company,
    hear: Hear = lambda *_: None,
    answer: Answer = _null,
    capabilities: dict[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Light]:
    """Yield an initialized client over TCP; leaving the block drops the line. `options` go into `initialize`."""
    async with await company.line("tcp") as line, anyio.create_task_group() as background:
        client = Light(line, hear, answer)
        background.start_soon(client.read)
        given = {"certo": {"versions": [1], "token": company.token}, **options}
        await client.request(
            "initialize", {"processId": None, "capabilities": capabilities or {}, "initializationOptions": given}
        )
        await client.notify("initialized", {})
        yield client
        background.cancel_scope.cancel()
