"""Messages over a WebSocket: check of the opening request, and one WebSocket message per LSP message."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import RemoteProtocolError

from certo.daemon.framing import MAX_BODY, Refused

Judge = Callable[[str, str | None], str | None]
"""Returns the reason to reject a request with this Host and Origin (None without one); None accepts it."""


class WebSocketFrames:
    """Framing of one WebSocket on the server side; the protocol's own replies are sent by `say`."""

    def __init__(self, judge: Judge, say: Callable[[bytes], None]) -> None:
        self._socket = WSConnection(ConnectionType.SERVER)
        self._judge = judge
        self._say = say
        self._parts = bytearray()
        self.ended = False

    def feed(self, received: bytes) -> None:
        """Add the next bytes of the stream; invalid ones end it."""
        if self.ended:
            return
        try:
            self._socket.receive_data(received)
        except RemoteProtocolError as error:
            if error.event_hint is not None and self._socket.state is ConnectionState.CONNECTING:
                self._say(self._socket.send(error.event_hint))
            self.ended = True

    def bodies(self) -> Iterator[bytes | Refused]:
        """Yield every whole message so far."""
        if self.ended:
            return
        for event in self._socket.events():
            body = self._take(event)
            if body is not None:
                yield body
            if self.ended:
                return

    def wrap(self, body: bytes) -> bytes:
        """Return a body as one message; empty after the client has closed."""
        if self._socket.state is not ConnectionState.OPEN:
            return b""
        return self._socket.send(TextMessage(data=body.decode("ascii")))

    def farewell(self) -> bytes:
        """Return the close frame, if the connection is still open."""
        if self._socket.state is not ConnectionState.OPEN:
            return b""
        return self._socket.send(CloseConnection(code=CloseReason.NORMAL_CLOSURE))

    def _take(self, event: Event) -> bytes | None:
        match event:
            case Request():
                self._open(event)
            case TextMessage() | BytesMessage():
                return self._gather(event)
            case Ping():
                self._say(self._socket.send(event.response()))
            case CloseConnection():
                # Invalid data arrives as such an event too, with the code to close with.
                if self._socket.state in {ConnectionState.OPEN, ConnectionState.REMOTE_CLOSING}:
                    self._say(self._socket.send(event.response()))
                self.ended = True
        return None

    def _open(self, request: Request) -> None:
        # With several none is believed: together they are no origin that a user can have allowed.
        origins = [value.decode("latin-1") for name, value in request.extra_headers if name == b"origin"]
        objection = self._judge(request.host, ", ".join(origins) if origins else None)
        if objection is None:
            self._say(self._socket.send(AcceptConnection()))
            return
        page = objection.encode() + b"\n"
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(page))]
        self._say(self._socket.send(RejectConnection(status_code=403, headers=headers, has_body=True)))
        self._say(self._socket.send(RejectData(data=page)))
        self.ended = True

    def _gather(self, event: TextMessage | BytesMessage) -> bytes | None:
        """Add a fragment to its message; return the message if it is complete."""
        # One array, because a list of parts takes many times their size if each is one byte, and grows by empty ones.
        self._parts += event.data.encode() if isinstance(event.data, str) else event.data
        if len(self._parts) > MAX_BODY:
            self._say(self._socket.send(CloseConnection(code=CloseReason.MESSAGE_TOO_BIG)))
            self.ended = True
            return None
        if not event.message_finished:
            return None
        body = bytes(self._parts)
        self._parts.clear()
        return body
