"""How many runs go on at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from certo.sandbox.executor import Work


class Slots:
    """So many runs at once; who comes first is served first, and a standing run needs no slot."""

    def __init__(self, total: int) -> None:
        self._limiter = anyio.CapacityLimiter(total)

    @asynccontextmanager
    async def taken(self, work: Work) -> AsyncIterator[None]:
        """Wait for a slot and hold it."""
        if work.standing:
            yield
            return
        async with self._limiter:
            yield
