"""A long wait for a process to be prepared, of which someone who shows progress is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import anyio

from certo.concurrency import background_tasks

_LONG = 2.0
"""The seconds after which a wait is long enough to be explained."""

_Listener = tuple[Callable[[], None], Callable[[], None]]
_listener: ContextVar[_Listener | None] = ContextVar("certo.sandbox.warm.long_wait", default=None)


@contextmanager
def long_waits_told(begun: Callable[[], None], over: Callable[[], None]) -> Iterator[None]:
    """Within the context, call `begun` when a wait has become long, and `over` when that ends."""
    token = _listener.set((begun, over))
    try:
        yield
    finally:
        _listener.reset(token)


async def wait_telling(wait: Callable[[], Awaitable[object]], *, after: float = _LONG) -> None:
    """Wait, and tell whoever listens if it takes long."""
    listener = _listener.get()
    if listener is None:
        await wait()
        return
    begun, over = listener
    is_told = False

    async def tell_later() -> None:
        nonlocal is_told
        await anyio.sleep(after)
        is_told = True
        begun()

    async with background_tasks() as group:
        group.start_soon(tell_later)
        try:
            await wait()
        finally:
            if is_told:
                over()
