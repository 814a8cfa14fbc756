"""Working with several hands at once: whoever has a hand free begins the next try, and nobody waits for the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from certo.sandbox.crew import side_by_side

T = TypeVar("T")


async def with_hands(
    number: int, take: Callable[[], Awaitable[T | None]], work: Callable[[int, T], Awaitable[bool]]
) -> None:
    """Have so many hands each take something, work on it, and take the next, until nothing is left to take.

    The first whose work returns True has found what was looked for, and ends all the others where they are. There is no
    barrier: slow work holds up its own hand and no other.
    """
    async with side_by_side() as hands:

        async def busy(hand: int) -> None:
            while (taken := await take()) is not None:
                if await work(hand, taken):
                    hands.cancel_scope.cancel()
                    return
                await anyio.lowlevel.checkpoint()

        for hand in range(number):
            hands.start_soon(busy, hand)
