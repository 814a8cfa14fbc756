"""Messages between the two processes: JSON objects of bounded size, each preceded by its length in four bytes.

JSON is used, not pickle, because unpickling data of the candidate could run any code in the test process.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, Dict

from certo_worker.observation.clock import passed

MAX_SIZE = 16 << 20
"""Bytes of one message."""

_LENGTH = struct.Struct("!I")
_MAX_NUMBER = 20


class PeerFailed(Exception):
    """The other process has ended or broken the protocol; the connection cannot be used any more."""


class TooLarge(Exception):
    """A message is larger or more deeply nested than the protocol allows."""


class Frames:
    """Whole messages, in order, over one connected stream socket."""

    def __init__(self, peer: socket.socket):
        self._peer = peer

    def send(self, message: Dict[str, Any]) -> None:
        """Send one message.

        Raises:
            TooLarge: nothing was sent.
            PeerFailed: the other process has ended.
        """
        try:
            text = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")
        except RecursionError:
            raise TooLarge("is nested too deeply") from None
        if len(text) > MAX_SIZE:
            raise TooLarge("is larger than {} MiB".format(MAX_SIZE >> 20))
        try:
            self._peer.sendall(_LENGTH.pack(len(text)) + text)
        except OSError as error:
            raise PeerFailed("ended before it was asked ({})".format(error)) from None

    def receive(self) -> Dict[str, Any]:
        """Wait for one message.

        Raises:
            PeerFailed: none came in time, or it is not a valid message.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        if length > MAX_SIZE:
            raise PeerFailed("sent a message larger than {} MiB".format(MAX_SIZE >> 20))
        try:
            message = json.loads(self._read(length).decode("ascii"), parse_int=_number, parse_constant=_refuse)
        except (ValueError, RecursionError, MemoryError):
            raise PeerFailed("sent what is no message") from None
        if not isinstance(message, dict):
            raise PeerFailed("sent what is no message")
        return message

    def _read(self, size: int) -> bytes:
        read = bytearray()
        # Reading the clock takes as long as a short answer does, so it is read only from the first time-out on.
        since = None
        while len(read) < size:
            try:
                part = self._peer.recv(min(size - len(read), 1 << 20))
            except socket.timeout:
                since = passed() if since is None else since
                if passed() - since < (self._peer.gettimeout() or 0.0):
                    continue
                raise PeerFailed("did not answer in time") from None
            except OSError as error:
                raise PeerFailed("ended before it answered ({})".format(error)) from None
            if not part:
                raise PeerFailed("ended before it answered")
            read += part
        return bytes(read)


def _number(digits: str) -> int:
    """Return an integer of few digits: the time to parse it is quadratic, and not limited before Python 3.11."""
    if len(digits) > _MAX_NUMBER:
        raise ValueError("a number is too long")
    return int(digits)


def _refuse(name: str) -> Any:
    raise ValueError(name + " is no JSON")
