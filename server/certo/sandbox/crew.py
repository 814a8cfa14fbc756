"""Task groups whose errors come out as they were raised, for whoever catches them need not know of the group."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from certo.vocabulary.errors import CertoError


@asynccontextmanager
async def crew() -> AsyncIterator[TaskGroup]:
    """A task group whose tasks are cancelled when the context ends; none of them may raise anything.

    An exception of the context's own code comes out as it is.
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
    """A task group of whose errors one comes out, where tasks raised any.

    It is a documented one only where all are: a bug that came with it would not be heard of.
    """
    raised: list[BaseException] = []
    try:
        async with anyio.create_task_group() as group:
            yield group
    except BaseExceptionGroup as errors:
        raised = list(_raised(errors))
    # Raised out here, each keeps the cause it had.
    if raised:
        stops = [error for error in raised if not isinstance(error, Exception)]
        bugs = [error for error in raised if not isinstance(error, CertoError)]
        raise next(iter([*stops, *bugs, *raised]))


def _raised(errors: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """The errors in a group, and in the groups in it."""
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _raised(error)
        else:
            yield error
