"""Awaiting in the candidate's process: a coroutine is run to its end there, on an event loop that lasts."""

from __future__ import annotations

import asyncio
from typing import Any, Optional


class Loop:
    """The event loop of the candidate's coroutines, made when the first is awaited."""

    def __init__(self) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    def wait(self, awaitable: Any) -> Any:
        """Run an awaitable to its end and return what it gives."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_awaited(awaitable))


async def _awaited(awaitable: Any) -> Any:
    return await awaitable
