"""The messages before our own protocol: the daemon's address, and the parts of `initialize`."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from certo.protocol.wire import Wire


class Address(Wire):
    """The address of a daemon; `token_file` is null if its user has given the token, which no file has then."""

    transport: Literal["tcp", "ws"]
    host: str
    port: int
    token_file: str | None
    version: str


class Announcement(Wire):
    """The line that a daemon on sockets prints for each."""

    certo: Address


class Asked(Wire):
    """The versions a client speaks, what it lends, and what else it says of itself that only certo asks.

    It lends its language model (`model`) and its storage for keys (`secrets`). With `command_links` its hovers run
    commands, and with `instructions` it asks its user for one before it runs a command that says so; `token` is that of
    a daemon on sockets. A key that is not known is passed over.
    """

    model_config = ConfigDict(extra="ignore")

    versions: tuple[int, ...] = ()
    model: bool = False
    secrets: bool = False
    command_links: bool = False
    instructions: bool = False
    token: str | None = Field(default=None, repr=False)


class Asking(Wire):
    """A client's request, in `experimental` of its capabilities or in its initialization options."""

    certo: Asked


class Limits(Wire):
    """The most that is taken: bytes of one message."""

    message_bytes: int = Field(gt=0)


class Agreed(Wire):
    """The version both sides speak, the name of this daemon, and the requests there are."""

    version: int
    instance: str
    methods: tuple[str, ...]
    limits: Limits


class Agreement(Wire):
    """The server's answer, in `experimental` of its capabilities."""

    certo: Agreed
