"""An editor with a model, at the other end of the daemon's own protocol: bytes in, bytes out, in one process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup

from certo.daemon.server import Server
from certo.features.editor.session import EditorSession
from certo.features.table import register
from certo.llm.editor import EditorModel
from certo.llm.model import ChatModel
from certo.protocol.editor_services import ASK, DELTA
from certo.sessions.searches import Searches
from support.models.provider_plays import RETRY_SECONDS, Asked, Fault, Play, Witness

REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800


class EditorStage:
    """A model that this editor plays."""

    def __init__(self, group: TaskGroup) -> None:
        self.witness = Witness()
        server = Server()
        desk = EditorSession(server, group, Searches(group))
        register(server, desk)
        server.protocol.set_writer(self)
        self.client = desk.model
        self.client.offered = True
        self._receive = server.protocol.receive
        self._group = group
        self._plays: list[Play] = []
        self._playing: dict[Any, anyio.CancelScope] = {}

    def model(self, *plays: Play) -> ChatModel:
        """Return a model that this editor answers for."""
        self._plays = list(plays)
        return EditorModel(self.client, "best")

    def write(self, frame: bytes) -> None:
        """Receive one frame from the daemon."""
        message = json.loads(frame.partition(b"\r\n\r\n")[2])
        if message.get("method") == ASK:
            self._group.start_soon(self._answer, message["id"], message["params"], self._plays.pop(0))
            self.witness.see(_asked(message["params"]))
        elif message.get("method") == "$/cancelRequest":
            self._playing[message["params"]["id"]].cancel()

    async def _answer(self, id_: Any, params: Any, play: Play) -> None:
        scope = self._playing[id_] = anyio.CancelScope()
        with scope:
            if play.fault not in {Fault.BUSY, Fault.REFUSED}:
                for piece in play.pieces:
                    await anyio.sleep(play.gap)
                    self.send({"method": DELTA, "params": {"token": params["token"], "text": piece}})
            self.send({"id": id_, **_end(play)})
        if scope.cancelled_caught:
            self.witness.miss()
            self.send({"method": DELTA, "params": {"token": params["token"], "text": "too late"}})
            self.send({"id": id_, "error": {"code": REQUEST_CANCELLED, "message": "cancelled"}})

    def send(self, message: dict[str, Any]) -> None:
        """Send the daemon a message."""
        self._receive(json.dumps({"jsonrpc": "2.0", **message}).encode())


@asynccontextmanager
async def editor_stage() -> AsyncIterator[EditorStage]:
    """Yield a stage for the length of the block."""
    async with anyio.create_task_group() as group:
        yield EditorStage(group)
        group.cancel_scope.cancel()


def _end(play: Play) -> dict[str, Any]:
    """Return the response that ends a play."""
    match play.fault:
        case Fault.REFUSED:
            return {"error": {"code": REQUEST_FAILED, "message": "the user said no"}}
        case Fault.BUSY:
            told = {"transient": True, "retryAfter": RETRY_SECONDS}
            return {"error": {"code": REQUEST_FAILED, "message": "slow down", "data": told}}
        case Fault.BROKEN_OFF:
            return {"error": {"code": REQUEST_FAILED, "message": "lost it", "data": {"transient": True}}}
    usage = play.usage
    took = None if usage is None else {"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens}
    return {"result": {"finish": play.finish.name.lower(), "model": "copilot/best", "usage": took}}


def _asked(params: Any) -> Asked:
    return Asked(
        messages=tuple((turn["role"], turn["text"]) for turn in params["messages"]),
        max_tokens=params["sampling"]["maxTokens"],
        schema=params["schema"],
    )
