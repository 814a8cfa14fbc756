"""Asking several at once, until what is heard decides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from certo.sandbox.crew import side_by_side
from certo.vocabulary.errors import CertoError

Heard = TypeVar("Heard")


async def at_once(
    asked: Sequence[Callable[[], Awaitable[Heard]]],
    decided: Callable[[Mapping[int, Heard]], bool],
    counted: Callable[[Heard], None] | None = None,
) -> Mapping[int, Heard]:
    """Ask all at once; return what was heard by the place of who said it, in that order.

    As soon as `decided` says that what was heard is enough, those that still speak are cut off and left out. `counted`
    hears each of the others as it comes.

    Raises:
        CertoError: the first that one of them raised before it was decided; the others are cut off then, too.
    """
    heard: dict[int, Heard] = {}
    errors: list[CertoError] = []

    async def ask(place: int) -> None:
        if errors or decided(heard):
            return
        try:
            answer = await asked[place]()
        except CertoError as error:
            errors.append(error)
            group.cancel_scope.cancel()
            return
        if not errors and not decided(heard):
            heard[place] = answer
            if counted is not None:
                counted(answer)
        if decided(heard):
            group.cancel_scope.cancel()

    async with side_by_side() as group:
        for place in range(len(asked)):
            group.start_soon(ask, place)
    if errors and not decided(heard):
        raise errors[0]
    return dict(sorted(heard.items()))
