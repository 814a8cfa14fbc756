"""An event loop with a virtual clock: when all tasks sleep, the clock jumps to the first to wake."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs programs that only sleep and compute, without waiting."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        return self.now


class _Skipping(selectors.SelectSelector):
    """A selector that does not wait, but advances the clock by the time it was to wait."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None):
        self._loop.now += max(0.0, timeout or 0.0)
        return super().select(0)


def in_virtual_time(main: Callable[[], Awaitable[T]]) -> tuple[T, float]:
    """Run to the end, and return the result and the virtual seconds."""

    async def timed() -> tuple[T, float]:
        began = anyio.current_time()
        return await main(), anyio.current_time() - began

    return anyio.run(timed, backend_options={"loop_factory": VirtualLoop})
