"""Access control of sockets: by the daemon's token, and for web pages by allowed origins."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Collection

import anyio

from certo.daemon.framing import Message
from certo.protocol.negotiation import said
from certo.vocabulary.errors import NotAuthorised

WRONG_TRY_SECONDS = 0.5
"""Delay of the answer to a wrong token; wrong tries are answered one after the other."""

_PORT = re.compile(r":\d+$", re.ASCII)


class Authenticator:
    """Check of the token, and of the web origins allowed for WebSockets."""

    def __init__(self, token: str, origins: Collection[str] = ()) -> None:
        self._token = token.encode("utf-8", "surrogateescape")
        self._origins = frozenset(origins)
        self._turns = anyio.Lock()

    async def admit(self, initialize: Message) -> None:
        """Check the token in the params of `initialize`, which may be in either of the places for certo's options.

        Raises:
            NotAuthorised: The token is wrong or missing. All wrong tries wait in one queue for the answer, so that
                guessing is slow.
        """
        if self._knows(initialize):
            return
        async with self._turns:
            await anyio.sleep(WRONG_TRY_SECONDS)
        raise NotAuthorised(
            "`initialize` came without the token of this daemon in initializationOptions.certo.token; it stands in the "
            "file that the daemon named when it was started, or in its environment as CERTO_TOKEN"
        )

    def _knows(self, initialize: Message) -> bool:
        token = said(initialize.get("capabilities"), initialize.get("initializationOptions")).get("token")
        return isinstance(token, str) and secrets.compare_digest(token.encode("utf-8", "surrogatepass"), self._token)

    def objection(self, host: str, origin: str | None) -> str | None:
        """Return the reason to reject a WebSocket with this Host and Origin; None if it is accepted.

        A browser sends the Origin of the page, which other programs do not have. The Host is a name of this machine
        unless a page has pointed its own name here (DNS rebinding); its port may be that of a tunnel.
        """
        if origin is not None and origin not in self._origins:
            return f"Pages of {origin} may not speak with certo; its user can let them with `--origin {origin}`."
        if not _is_here(_PORT.sub("", host)):
            return f"certo is not at {host}, but at a loopback address of this machine."
        return None


def _is_here(name: str) -> bool:
    """True if a Host means this machine, which no web page can arrange for its own name."""
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
