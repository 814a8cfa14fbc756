"""Whoever shows progress learns that a prepared process is waited for, and when that is over."""

from __future__ import annotations

import anyio
import pytest

from certo.sandbox.warm.long_wait import long_waits_told, wait_telling

pytestmark = pytest.mark.anyio


async def test_long_waits_are_told_and_taken_back() -> None:
    told: list[bool] = []
    ready = anyio.Event()

    def tell(is_long: bool) -> None:
        told.append(is_long)
        ready.set()

    with long_waits_told(tell):
        await wait_telling(ready.wait, after=0.0)
    assert told == [True, False]


async def test_short_waits_are_not_told() -> None:
    told: list[bool] = []
    with long_waits_told(told.append):
        await wait_telling(anyio.lowlevel.checkpoint)
    assert told == []


async def test_failed_wait_is_taken_back_too() -> None:
    told: list[bool] = []
    begun = anyio.Event()

    async def fail() -> None:
        await begun.wait()
        raise ValueError("not ready")

    def tell(is_long: bool) -> None:
        told.append(is_long)
        begun.set()

    with long_waits_told(tell), pytest.raises(ValueError, match="not ready"):
        await wait_telling(fail, after=0.0)
    assert told == [True, False]
