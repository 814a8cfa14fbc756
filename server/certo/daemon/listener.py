"""Where clients come in by a socket: an address of this machine alone, taken before anything heavy is imported."""

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
"""How many clients may wait to be let in."""


class ListeningSocket:
    """A socket that listens; `transport` is `tcp`, or `ws` for WebSocket."""

    def __init__(self, transport: str, listener: socket.socket) -> None:
        self.transport = transport
        self.listener = listener
        self.host, self.port = listener.getsockname()[:2]

    def announcement(self, token_file: str | None) -> bytes:
        """The line that tells whoever has started the daemon where it is, and in which file its token."""
        where = {"transport": self.transport, "host": self.host, "port": self.port}
        told = {"certo": {**where, "tokenFile": token_file, "version": __version__}}
        return json.dumps(told).encode("ascii") + b"\n"


def open_entrance(transport: str, address: str) -> ListeningSocket:
    """Listen at `[HOST:]PORT`; 0 is any port that is free.

    Raises:
        BadRequest: it is no such address, not one of this machine alone, or taken.
    """
    host, port = _read(address)
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        # So that a daemon can be started again at once; one that listens there keeps us off all the same.
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
    """Host and port of an address; the host is a number, so that nobody is asked what it means."""
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
"""The environment variable by which a user gives the token."""

MIN_SECONDS = 16
"""Characters of a token below which it could be guessed."""


@contextmanager
def a_token() -> Iterator[tuple[str, str | None]]:
    """The token, and the file it stands in; None when it came from the environment, where nobody below us finds it.

    The file is gone when the context ends.

    Raises:
        BadRequest: the user's own is too short.
    """
    given = os.environ.pop(VARIABLE, None)
    if given is not None:
        if len(given) < MIN_SECONDS:
            raise BadRequest(f"{VARIABLE} has {len(given)} characters, and less than {MIN_SECONDS} can be guessed")
        yield given, None
        return
    token = secrets.token_urlsafe()
    # Nobody else may enter this directory, or read the file.
    home = tempfile.mkdtemp(prefix="certo-serve-")
    try:
        path = os.path.join(home, "token")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)
        yield token, path
    finally:
        shutil.rmtree(home, ignore_errors=True)
