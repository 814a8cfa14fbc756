"""Who may come in by a socket: those who know the daemon's token, and of a browser's pages those the user has named."""

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
"""How long the answer to a wrong token takes, one after the other, whoever tries."""

_PORT = re.compile(r":\d+$", re.ASCII)


class Authenticator:
    """Knows the token, and from which web origins a WebSocket may come."""

    def __init__(self, token: str, origins: Collection[str] = ()) -> None:
        self._token = token.encode("utf-8", "surrogateescape")
        self._origins = frozenset(origins)
        self._turns = anyio.Lock()

    async def admit(self, initialize: Message) -> None:
        """Let in whose params of `initialize` have the token, in either of the places that certo's own things stand in.

        Raises:
            NotAuthorised: they have another one, or none. All who tried one wait in one line before they are told, so
                that guessing is slow.
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
        """Why a WebSocket that was asked for at this Host, from this Origin, is turned away; None if it is not.

        A browser says the Origin of the page that asks, which a program has none of. The Host is a name of this machine
        unless a page has had its own name pointed here (DNS rebinding); its port may be that of a tunnel.
        """
        if origin is not None and origin not in self._origins:
            return f"Pages of {origin} may not speak with certo; its user can let them with `--origin {origin}`."
        if not _is_here(_PORT.sub("", host)):
            return f"certo is not at {host}, but at a loopback address of this machine."
        return None


def _is_here(name: str) -> bool:
    """Whether a Host is this machine's own, which no page can be made to have."""
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
