"""Messages between the two processes: JSON objects, each after its length, never larger than both can bear."""

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
    """The other process is gone, or said what no process of ours says; nothing more can be asked of it."""


class TooLarge(Exception):
    """A message is larger than what one may hold."""


class Frames:
    """The messages of one connected stream socket, whole and in order."""

    def __init__(self, peer: socket.socket):
        self._peer = peer

    def send(self, message: Dict[str, Any]) -> None:
        """Send one message.

        Raises:
            TooLarge: nothing was sent.
            PeerFailed: nobody is there to read it.
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
            PeerFailed: there will be none, or what came is none.
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
        # Looking at the time costs as much as a short answer, so it is counted from the first time-out on.
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
    """Return an integer, for which Pythons before 3.11 need time that grows with the square of its length."""
    if len(digits) > _MAX_NUMBER:
        raise ValueError("a number is too long")
    return int(digits)


def _refuse(name: str) -> Any:
    raise ValueError(name + " is no JSON")
