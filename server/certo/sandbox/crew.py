"""What goes on beside the code of a context, and ends with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup


@asynccontextmanager
async def crew() -> AsyncIterator[TaskGroup]:
    """A task group whose tasks are cancelled when the context ends; none of them may raise anything.

    An exception of the context's own code comes out as it is, where a task group would wrap it: whoever wants to catch
    it need not know that there was one.
    """
    group = anyio.create_task_group()
    await group.__aenter__()
    try:
        yield group
    finally:
        group.cancel_scope.cancel()
        await group.__aexit__(None, None, None)
