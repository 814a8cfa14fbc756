"""What goes on beside a context: gone when it ends, and no wrapping for what is raised in it."""

from __future__ import annotations

import anyio
import pytest

from certo.sandbox.crew import crew


async def test_what_is_raised_comes_out_as_it_is_and_the_tasks_are_over() -> None:
    ended = []

    async def stay() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("over")

    async def fail_beside_it() -> None:
        async with crew() as group:
            group.start_soon(stay)
            await anyio.lowlevel.checkpoint()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_beside_it()
    assert ended == ["over"]


async def test_a_cancelled_context_takes_its_tasks_along() -> None:
    ended = []

    async def stay() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
            ended.append("over")

    with anyio.CancelScope() as scope:
        async with crew() as group:
            group.start_soon(stay)
            await anyio.lowlevel.checkpoint()
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert ended == ["over"]
