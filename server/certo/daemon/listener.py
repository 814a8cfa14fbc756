"""Listening sockets on addresses of this machine only, opened before any heavy import."""

from __future__ import annotations

import ipaddress
import json
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from certo import __version__
from certo.vocabulary.errors import BadRequest

WAITING = 32
"""Backlog of clients waiting to be accepted."""


class ListeningSocket:
    """A listening socket; `transport` is `tcp`, or `ws` for WebSocket."""

    def __init__(self, transport: str, listener: socket.socket) -> None:
        self.transport = transport
        self.listener = listener
        self.host, self.port = listener.getsockname()[:2]

    def announcement(self, token_file: str | None) -> bytes:
        """Return the line that announces address and token file to the starter of the daemon."""
        where = {"transport": self.transport, "host": self.host, "port": self.port}
        told = {"certo": {**where, "tokenFile": token_file, "version": __version__}}
        return json.dumps(told).encode("ascii") + b"\n"


def open_entrance(transport: str, address: str) -> ListeningSocket:
    """Listen at `[HOST:]PORT`; 0 is any free port.

    Raises:
        BadRequest: It is no address, not one of this machine only, or in use.
    """
    host, port = _read(address)
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        # Allows a daemon to be restarted at once; a listening one still blocks the address.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(WAITING)
        listener.settimeout(0)
    except OSError as error:
        listener.close()
        reason = f"certo cannot listen at {address}: {error.strerror}"
        raise BadRequest(f"{reason}; give another port, or 0 for any") from None
    return ListeningSocket(transport, listener)


def _read(address: str) -> tuple[str, int]:
    """Return host and port of an address; the host is numeric, so that no name lookup is needed."""
    host, _, number = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (number.isascii() and number.isdigit() and int(number) < 1 << 16):
        raise BadRequest(f"{address!r} is no address to listen at: it takes PORT or HOST:PORT, with a port below 65536")
    if host in {"", "localhost"}:
        return "127.0.0.1", int(number)
    try:
        near = ipaddress.ip_address(host).is_loopback
    except ValueError:
        near = False
    if not near:
        raise BadRequest(
            f"certo listens on this machine alone, and {host} is not it; leave the host out, "
            "and come from elsewhere through a tunnel, such as ssh -L makes"
        )
    return host, int(number)


VARIABLE = "CERTO_TOKEN"
"""Environment variable in which a user may set the token."""

MIN_CHARACTERS = 16
"""Minimum length of a token in characters; a shorter one could be guessed."""


@contextmanager
def a_token() -> Iterator[tuple[str, str | None]]:
    """Yield the token and its file; the file is None for a token from the environment, hidden from child processes.

    The file is deleted when the context ends.

    Raises:
        BadRequest: The user's token is too short.
    """
    given = os.environ.pop(VARIABLE, None)
    if given is not None:
        if len(given) < MIN_CHARACTERS:
            raise BadRequest(f"{VARIABLE} has {len(given)} characters, and less than {MIN_CHARACTERS} can be guessed")
        yield given, None
        return
    token = secrets.token_urlsafe()
    # No other user may enter this directory, or read the file.
    home = tempfile.mkdtemp(prefix="certo-serve-")
    try:
        path = os.path.join(home, "token")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)
        yield token, path
    finally:
        shutil.rmtree(home, ignore_errors=True)
