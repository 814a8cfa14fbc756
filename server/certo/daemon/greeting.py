"""The first words with a client that came by a socket: nothing but a right `initialize` is answered as it asks."""

from __future__ import annotations

from collections.abc import Callable

import anyio

from certo.daemon.envelope import INVALID_REQUEST, Message, Refused, decode, encode, is_request
from certo.daemon.guard import Guard
from certo.daemon.handshake import Greeting, read_initialize, welcome
from certo.daemon.inbox import Framing, read
from certo.daemon.outbox import Outbox
from certo.features.failures import failure
from certo.vocabulary.errors import NotAuthorised

GREETING_SECONDS = 30.0
"""How long a client may take to say who it is."""

LARGEST_GREETING = 4 * 1024 * 1024
"""Bytes that are taken from somebody who has not shown the token; an `initialize` has some ten thousand."""


async def greet(
    source: int, frames: Framing, outbox: Outbox, guard: Guard, heard: Callable[[], None]
) -> Greeting | None:
    """Wait for an `initialize` that has the token, answer it, and say what it held; None for everybody else.

    Those are told by one error that they may not, and have had their try. `heard` is called when the first message is
    there, whatever it says.
    """
    with anyio.move_on_after(GREETING_SECONDS):
        body = await _first_body(source, frames)
        if body is None:
            return None
        heard()
        try:
            id_, params = await _admitted(body, guard)
        except Refused as refused:
            outbox.write(frames.wrap(encode(refused.answer())))
            return None
        outbox.write(frames.wrap(encode(welcome(id_, params))))
        return Greeting(params, source, outbox.sink, frames)
    return None


async def _first_body(source: int, frames: Framing) -> bytes | Refused | None:
    """The first message; None when none comes, or what comes is larger than any first message is."""
    taken = 0
    while taken < LARGEST_GREETING and not frames.ended:
        received = await read(source)
        if not received:
            return None
        taken += len(received)
        frames.feed(received)
        for body in frames.bodies():
            return body
    return None


async def _admitted(body: bytes | Refused, guard: Guard) -> tuple[int | str, Message]:
    """The id and the params of a right `initialize`.

    Raises:
        Refused: the first message is none, or has not the token.
    """
    if isinstance(body, Refused):
        raise body
    message = decode(body)
    if not is_request(message):
        raise Refused(INVALID_REQUEST, "the first message has to be initialize")
    id_, params = read_initialize(message)
    try:
        await guard.admit(params)
    except NotAuthorised as error:
        told = failure(error, params)
        raise Refused(told.code, str(error), id_, told.data) from None
    return id_, params
