"""A real HTTP server that answers like a provider of models, byte by byte as a test says, in three formats."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.tls import TLSListener

from certo.llm.prompt import Finish
from support.models.provider_plays import RETRY_SECONDS, Asked, Fault, Play, Witness

EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One response: a head, and pieces of a body, each sent after `gap` seconds.

    With `cut` the connection is closed after the last piece without the end that HTTP wants, with `open` it stays open
    without it, and with `endless` the last piece is sent again and again. With `silent` nothing is said at all, and
    `headless` nothing but the pieces. `sent` is called after each piece that was sent.
    """

    status: int = 200
    kind: str = EVENT_STREAM
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[bytes, ...] = ()
    gap: float = 0.0
    cut: bool = False
    open: bool = False
    silent: bool = False
    endless: bool = False
    headless: bool = False
    sent: Callable[[], object] = bool


Answering = Callable[[Question], Page]
"""What decides how a request is answered."""


class ModelServer:
    """One server on loopback; `questions` are the requests so far, and the witness counts clients that left."""

    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.questions: list[Question] = []
        self.connections = 0
        self.witness = Witness()
        self.port = 0

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, stream: SocketStream) -> None:
        """Answer one connection's requests until it is closed by either side."""
        self.connections += 1
        async with stream:
            buffered = BufferedByteReceiveStream(stream)
            try:
                while await self._answer_one(stream, buffered):
                    pass
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async def _answer_one(self, stream: SocketStream, buffered: BufferedByteReceiveStream) -> bool:
        question = await _read(buffered)
        self.questions.append(question)
        page = self.answering(question)
        self.witness.see(_asked(question.body))
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch, stream, buffered, group.cancel_scope)
            try:
                await _play(stream, page)
            except anyio.BrokenResourceError:
                # Caught here, for the group would hand it on wrapped; whoever asked may have been killed.
                return False
            finally:
                group.cancel_scope.cancel()
            return not page.cut and not page.headless
        return False

    async def _watch(self, stream: SocketStream, buffered: BufferedByteReceiveStream, scope: anyio.CancelScope) -> None:
        """Notice that the other side leaves while it is being answered."""
        try:
            while True:
                buffered.feed_data(await stream.receive())
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            self.witness.miss()
            scope.cancel()


@asynccontextmanager
async def model_server(answering: Answering, *, tls: Any = None) -> AsyncIterator[ModelServer]:
    """Yield a server with these answers, for the length of the block."""
    server = ModelServer(answering)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    server.port = listener.extra(SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as group:
        group.start_soon((TLSListener(listener, tls) if tls else listener).serve, server.serve)
        yield server
        group.cancel_scope.cancel()


async def _read(buffered: BufferedByteReceiveStream) -> Question:
    head = (await buffered.receive_until(b"\r\n\r\n", 1 << 16)).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await buffered.receive_exactly(int(headers.get("content-length", "0")))
    return Question(path=first.split(" ")[1], headers=headers, body=json.loads(body or b"{}"))


async def _play(stream: SocketStream, page: Page) -> None:
    if page.silent:
        await anyio.sleep_forever()
    if not page.headless:
        lines = [
            f"HTTP/1.1 {page.status} -",
            f"content-type: {page.kind}",
            "transfer-encoding: chunked",
            *(f"{name}: {value}" for name, value in page.headers.items()),
        ]
        await stream.send("\r\n".join([*lines, "", ""]).encode())
    for piece in page.pieces:
        await anyio.sleep(page.gap)
        await stream.send(piece if page.headless else _chunk(piece))
        page.sent()
    while page.endless:
        await stream.send(_chunk(page.pieces[-1]))
    if page.open:
        await anyio.sleep_forever()
    if not page.cut and not page.headless:
        await stream.send(b"0\r\n\r\n")


def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def _asked(body: dict[str, Any]) -> Asked:
    """Return a question in any of the formats."""
    system = [("system", body["system"])] if "system" in body else []
    options = body.get("options", {})
    limits = (body.get("max_tokens"), body.get("max_completion_tokens"), options.get("num_predict"), 0)
    schema = body.get("format") or body.get("output_config", {}).get("format", {}).get("schema")
    schema = schema or body.get("response_format", {}).get("json_schema", {}).get("schema")
    return Asked(
        messages=(*system, *((turn["role"], turn["content"]) for turn in body.get("messages", ()))),
        max_tokens=next(limit for limit in limits if limit is not None),
        schema=schema,
    )


def event(told: Any, name: str = "") -> bytes:
    """Return one server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {told if isinstance(told, str) else json.dumps(told)}\n\n".encode()


def line(told: Any) -> bytes:
    """Return one line of JSON."""
    return json.dumps(told).encode() + b"\n"


def chunk(text: str | None = None, **choice: Any) -> dict[str, Any]:
    """Return one chunk of a chat completion."""
    delta = {} if text is None else {"content": text}
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "told-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": None, **choice}],
    }


def openai_pieces(play: Play) -> tuple[list[bytes], list[bytes]]:
    """Return the text and the end of an answer, as OpenAI streams them."""
    reason = {Finish.COMPLETE: "stop", Finish.CUT: "length", Finish.FILTERED: "content_filter"}[play.finish]
    end = [event(chunk(finish_reason=reason))]
    if play.usage is not None:
        told = {
            "prompt_tokens": play.usage.input_tokens,
            "completion_tokens": play.usage.output_tokens,
            "total_tokens": play.usage.input_tokens + play.usage.output_tokens,
            "prompt_tokens_details": {"cached_tokens": play.usage.cached_tokens},
        }
        end.append(event({**chunk(), "choices": [], "usage": told}))
    return [event(chunk(text)) for text in play.pieces], [*end, event("[DONE]")]


def anthropic_pieces(play: Play) -> tuple[list[bytes], list[bytes]]:
    """Return the text and the end of an answer, as Anthropic streams them, thinking first."""
    reason = {Finish.COMPLETE: "end_turn", Finish.CUT: "max_tokens", Finish.FILTERED: "refusal"}[play.finish]
    usage = play.usage
    start = {"id": "m1", "type": "message", "role": "assistant", "model": "told-model", "content": []}
    told = (
        []
        if usage is None
        else [
            {
                "input_tokens": usage.input_tokens - usage.cached_tokens,
                "cache_read_input_tokens": usage.cached_tokens,
                "output_tokens": min(1, usage.output_tokens),
            },
            {"output_tokens": usage.output_tokens},
        ]
    )
    unsaid = {"thinking": "", "signature": ""}
    thought = {"type": "thinking_delta", "thinking": "hm, what would f be"}
    deltas = [
        {"type": "message_start", "message": {**start, **({"usage": told[0]} if told else {})}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", **unsaid}},
        {"type": "content_block_delta", "index": 0, "delta": thought},
        {"type": "content_block_stop", "index": 0},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": text}}
            for text in play.pieces
        ),
    ]
    end = [
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": reason}, **({"usage": told[1]} if told else {})},
        {"type": "message_stop"},
    ]
    return [event(one, one["type"]) for one in deltas], [event(one, one["type"]) for one in end]


def ollama_pieces(play: Play) -> tuple[list[bytes], list[bytes]]:
    """Return the text and the end of an answer, as Ollama streams them."""
    told = {"model": "told-model", "done": False}
    pieces = [line({**told, "message": {"role": "assistant", "content": text}}) for text in play.pieces]
    end = {**told, "done": True, "message": {"role": "assistant", "content": ""}}
    end["done_reason"] = "length" if play.finish is Finish.CUT else "stop"
    if play.usage is not None:
        end |= {"prompt_eval_count": play.usage.input_tokens, "eval_count": play.usage.output_tokens}
    return pieces, [line(end)]


Pieces = Callable[[Play], tuple[list[bytes], list[bytes]]]
"""How a format streams the text and the end of an answer."""


def page_of(play: Play, pieces: Pieces) -> Page:
    """Return the response for a play in a format."""
    kind = NDJSON if pieces is ollama_pieces else EVENT_STREAM
    text, end = pieces(play)
    match play.fault:
        case None:
            return Page(kind=kind, pieces=(*text, *end), gap=play.gap)
        case Fault.BROKEN_OFF:
            return Page(kind=kind, pieces=tuple(text), gap=play.gap, cut=True)
        case Fault.BUSY:
            told = json.dumps({"error": {"message": "slow down", "type": "rate_limit_error"}}).encode()
            headers = {"retry-after": f"{RETRY_SECONDS:g}"}
            return Page(status=429, kind="application/json", headers=headers, pieces=(told,))
        case Fault.REFUSED:
            told = json.dumps({"error": {"message": "no such key", "type": "authentication_error"}}).encode()
            return Page(status=401, kind="application/json", pieces=(told,))
