"""A loop whose clock is virtual: when all of a program sleeps, it is at once the time at which the first wakes up."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs what only sleeps and computes, in no time, as if it had slept."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        return self.now


class _Skipping(selectors.SelectSelector):
    """Waits for nothing, and puts the clock forward by as long as it was to wait."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None):
        self._loop.now += max(0.0, timeout or 0.0)
        return super().select(0)


def in_virtual_time(main: Callable[[], Awaitable[T]]) -> tuple[T, float]:
    """Run to the end; returns what came of it, and how many virtual seconds it took."""

    async def timed() -> tuple[T, float]:
        began = anyio.current_time()
        return await main(), anyio.current_time() - began

    return anyio.run(timed, backend_options={"loop_factory": VirtualLoop})
