"""Structured concurrency helpers: task groups that raise the original error, first result wins, worker loops."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from certo.vocabulary.errors import CertoError


@asynccontextmanager
async def background_tasks() -> AsyncIterator[TaskGroup]:
    """Yield a task group that is cancelled when the context ends; its tasks must not raise anything.

    An exception of the context's own code is passed through unchanged.
    """
    group = anyio.create_task_group()
    await group.__aenter__()
    try:
        yield group
    finally:
        group.cancel_scope.cancel()
        await group.__aexit__(None, None, None)


@asynccontextmanager
async def side_by_side() -> AsyncIterator[TaskGroup]:
    """Yield a task group that raises one of its tasks' errors instead of an exception group.

    A documented error (CertoError) is raised only if all are documented, because it would hide a bug raised beside it.
    """
    raised: BaseException | None = None
    try:
        async with anyio.create_task_group() as group:
            yield group
    except BaseExceptionGroup as errors:
        raised = most_serious(errors)
    # Raised outside of the handler, each error keeps its own cause.
    if raised is not None:
        raise raised


def most_serious(error: BaseException) -> BaseException:
    """Return the error of a group that is to be raised in its place: a documented one only if all are; else itself."""
    raised = list(_raised(error))
    stops = [each for each in raised if not isinstance(each, Exception)]
    bugs = [each for each in raised if not isinstance(each, CertoError)]
    return next(iter([*stops, *bugs, *raised]))


def _raised(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors in a group and in its nested groups; an error that is no group by itself."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _raised(each)
    else:
        yield error


Heard = TypeVar("Heard")


async def gather_until(
    asked: Sequence[Callable[[], Awaitable[Heard]]],
    decided: Callable[[Mapping[int, Heard]], bool],
    counted: Callable[[Heard], None] | None = None,
) -> Mapping[int, Heard]:
    """Run all calls concurrently and return their results by index, in that order.

    As soon as `decided` accepts the results so far, the remaining calls are cancelled and left out. `counted` is called
    with each result as it arrives.

    Raises:
        CertoError: The first error of a call before the decision; the other calls are cancelled then, too.
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


T = TypeVar("T")


async def run_workers(
    number: int, take: Callable[[], Awaitable[T | None]], work: Callable[[int, T], Awaitable[bool]]
) -> None:
    """Run `number` workers, each of which takes an item, works on it and takes the next until none is left.

    The first worker whose `work` returns True succeeds, and all others are cancelled. There is no barrier: slow work
    delays only its own worker.
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
