"""Whoever shows progress learns that a prepared process is waited for, and when that is over."""

from __future__ import annotations

import anyio
import pytest

from certo.sandbox.warm.long_wait import long_waits_told, wait_telling

pytestmark = pytest.mark.anyio


async def test_long_waits_are_told_and_taken_back() -> None:
    told: list[str] = []
    begun = anyio.Event()

    def begin() -> None:
        told.append("begun")
        begun.set()

    with long_waits_told(begin, lambda: told.append("over")):
        await wait_telling(begun.wait, after=0.0)
    assert told == ["begun", "over"]


async def test_short_waits_are_not_told() -> None:
    told: list[str] = []
    with long_waits_told(lambda: told.append("begun"), lambda: told.append("over")):
        await wait_telling(anyio.lowlevel.checkpoint)
    assert told == []


async def test_failed_wait_is_taken_back_too() -> None:
    told: list[str] = []
    begun = anyio.Event()

    async def fail() -> None:
        await begun.wait()
        raise ValueError("not ready")

    with long_waits_told(begun.set, lambda: told.append("over")), pytest.raises(ValueError, match="not ready"):
        await wait_telling(fail, after=0.0)
    assert told == ["over"]
