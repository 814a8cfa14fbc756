"""Messages over a WebSocket, with the library's own client at the other end, and no network between them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Pong,
    RejectConnection,
    Request,
    TextMessage,
)

from certo.daemon.framing import MAX_BODY
from certo.daemon.websocket import WebSocketFrames


class Pair:
    """A client and the frames that read its bytes."""

    def __init__(self, objection: str | None = None) -> None:
        self.client = WSConnection(ConnectionType.CLIENT)
        self.judged: list[tuple[str, str | None]] = []
        self.frames = WebSocketFrames(self._judge, self.client.receive_data)
        self._objection = objection

    def open(self, **headers: str) -> list[Event]:
        """Ask for the WebSocket and return the events that the client receives."""
        extra = [(name.encode(), value.encode()) for name, value in headers.items()]
        self.frames.feed(self.client.send(Request(host="localhost:1", target="/", extra_headers=extra)))
        assert list(self.frames.bodies()) == []
        return list(self.client.events())

    def hear(self, sent: bytes) -> list[bytes]:
        """Return the messages that the frames read from the client's bytes."""
        self.frames.feed(sent)
        return [body for body in self.frames.bodies() if isinstance(body, bytes)]

    def _judge(self, host: str, origin: str | None) -> str | None:
        self.judged.append((host, origin))
        return self._objection


@given(texts=st.lists(st.text(max_size=40), max_size=6), cuts=st.lists(st.integers(1, 50), max_size=20))
def test_messages_survive_any_cut_of_the_bytes(texts: Sequence[str], cuts: Sequence[int]) -> None:
    pair = Pair()
    assert isinstance(pair.open()[0], AcceptConnection)
    sent = b"".join(pair.client.send(TextMessage(data=text)) for text in texts)
    heard = []
    for cut in cuts:
        heard += pair.hear(sent[:cut])
        sent = sent[cut:]
    heard += pair.hear(sent)
    assert heard == [text.encode() for text in texts]
    assert not pair.frames.ended


def test_fragments_are_joined_and_bytes_are_text() -> None:
    pair = Pair()
    pair.open()
    parts = [TextMessage(data="on", message_finished=False), TextMessage(data="e")]
    assert pair.hear(b"".join(map(pair.client.send, parts))) == [b"one"]
    assert pair.hear(pair.client.send(BytesMessage(data=b"two"))) == [b"two"]


def test_answers_are_messages_without_headers() -> None:
    pair = Pair()
    assert pair.frames.wrap(b"too early") == b""
    pair.open()
    pair.client.receive_data(pair.frames.wrap(b'{"id":1}'))
    assert list(pair.client.events()) == [TextMessage(data='{"id":1}')]


def test_objection_to_host_or_origin_is_403() -> None:
    pair = Pair(objection="not you")
    heard = pair.open(origin="https://evil.example")
    assert pair.judged == [("localhost:1", "https://evil.example")]
    assert isinstance(heard[0], RejectConnection)
    assert heard[0].status_code == 403
    assert pair.frames.ended


@pytest.mark.parametrize(
    ("headers", "judged"),
    [
        ((), None),
        (((b"origin", b""),), ""),
        (
            ((b"origin", b"http://named.example"), (b"Origin", b"http://evil.example")),
            "http://named.example, http://evil.example",
        ),
    ],
)
def test_of_several_origins_none_is_believed(headers: Sequence[tuple[bytes, bytes]], judged: str | None) -> None:
    pair = Pair()
    asked = Request(host="localhost", target="/", extra_headers=list(headers))
    assert pair.hear(pair.client.send(asked)) == []
    assert pair.judged == [("localhost", judged)]


@pytest.mark.parametrize(
    "smuggled", [b"Host: evil.example\r\n", b"Upgrade : websocket\r\n", b" folded\r\n", b"X: \0\r\n"]
)
def test_ambiguous_requests_are_refused(smuggled: bytes) -> None:
    pair = Pair()
    head, _, rest = pair.client.send(Request(host="localhost", target="/")).partition(b"\r\n")
    assert pair.hear(head + b"\r\n" + smuggled + rest) == []
    assert (pair.judged, pair.frames.ended) == ([], True)


def test_countless_fragments_take_only_their_length() -> None:
    pair = Pair()
    pair.open()
    parts = [TextMessage(data=text, message_finished=False) for text in ["", "x", ""] * 2_000]
    sent = b"".join(map(pair.client.send, parts))
    tracemalloc.start()
    try:
        assert pair.hear(sent) == []
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < len(sent), "the parts are kept as one"
    [body] = pair.hear(pair.client.send(TextMessage(data="end")))
    assert body == b"x" * 2_000 + b"end"


def test_pings_are_answered_and_closing_is_confirmed() -> None:
    pair = Pair()
    pair.open()
    assert pair.hear(pair.client.send(Ping(payload=b"there?"))) == []
    assert list(pair.client.events()) == [Pong(payload=b"there?")]
    assert pair.hear(pair.client.send(CloseConnection(code=1000))) == []
    assert [type(each) for each in pair.client.events()] == [CloseConnection]
    assert pair.frames.ended
    assert pair.frames.wrap(b"too late") == pair.frames.farewell() == b""


def test_the_server_can_say_goodbye_first() -> None:
    pair = Pair()
    pair.open()
    pair.client.receive_data(pair.frames.farewell())
    assert [each.code for each in pair.client.events() if isinstance(each, CloseConnection)] == [1000]


@pytest.mark.parametrize("sent", [b"\x81\x05hello", b"\xff\xff\xff\xff", b"\x81\x82\x00\x00\x00\x00\xff\xfe"])
def test_what_no_client_sends_ends_the_conversation(sent: bytes) -> None:
    pair = Pair()
    pair.open()
    assert pair.hear(sent) == []
    assert pair.frames.ended


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00" * 200, b"\r\n" * 70_000])
def test_requests_for_anything_else_are_refused(sent: bytes) -> None:
    pair = Pair()
    assert pair.hear(sent) == []
    assert pair.frames.ended
    assert pair.hear(b"more") == []


def test_too_long_messages_close_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certo.daemon.websocket.MAX_BODY", 100)
    assert MAX_BODY > 100
    pair = Pair()
    pair.open()
    endless = TextMessage(data="x" * 60, message_finished=False)
    assert pair.hear(pair.client.send(endless) + pair.client.send(endless)) == []
    assert [each.code for each in pair.client.events() if isinstance(each, CloseConnection)] == [1009]
    assert pair.frames.ended


def a_frame(head: int, payload: bytes) -> bytes:
    """A frame of any kind, masked by zeros."""
    return bytes([head, 0x80 | len(payload)]) + bytes(4) + payload


CHUNKS = st.binary(min_size=1, max_size=80) | st.builds(a_frame, st.integers(0, 255), st.binary(max_size=20))


@given(opened=st.booleans(), chunks=st.lists(CHUNKS, max_size=8))
def test_any_bytes_are_read_or_end_it(opened: bool, chunks: Sequence[bytes]) -> None:
    """Any bytes give messages or close the connection."""
    pair = Pair()
    said: list[bytes] = []
    frames = WebSocketFrames(lambda _host, _origin: None, said.append)
    if opened:
        frames.feed(pair.client.send(Request(host="localhost", target="/")))
        assert list(frames.bodies()) == []
    for chunk in chunks:
        frames.feed(chunk)
        for body in frames.bodies():
            assert isinstance(body, bytes)
        assert frames.wrap(b"{}") == b"" or not frames.ended
    frames.farewell()


HEADS = st.lists(
    st.sampled_from(
        [
            b"GET / HTTP/1.1",
            b"Host: localhost",
            b"Host: evil.example",
            b"Upgrade: websocket",
            b"Connection: Upgrade",
            b"Connection: keep-alive",
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            b"Sec-WebSocket-Version: 13",
            b"Sec-WebSocket-Version: 12",
            b"Sec-WebSocket-Extensions: permessage-deflate",
            b"Origin: https://evil.example",
            b"Content-Length: 5",
            b"Transfer-Encoding: chunked",
            b"X: \xff\xfe",
        ]
    ),
    max_size=10,
)


@given(lines=HEADS)
def test_any_request_is_judged_or_refused(lines: Sequence[bytes]) -> None:
    said: list[bytes] = []
    judged: list[tuple[str, str]] = []

    def judge(host: str, origin: str) -> str | None:
        judged.append((host, origin))
        return "no" if origin or "evil" in host else None

    frames = WebSocketFrames(judge, said.append)
    frames.feed(b"\r\n".join([*lines, b"", b""]))
    assert list(frames.bodies()) == []
    granted = b"".join(said).startswith(b"HTTP/1.1 101")
    assert granted == (judged in ([("localhost", "")],) and not frames.ended)
