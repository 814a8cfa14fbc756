"""Turns of functions: their number is that of the runs that the executor has room for, as it changes."""

from __future__ import annotations

from typing import Any

import anyio
from anyio.lowlevel import checkpoint
from pydantic import BaseModel

from certo.sandbox.function_turns import MAX_AT_ONCE, MIN_AT_ONCE, FunctionTurns, functions_at_once


class Room(BaseModel):
    """An executor as far as turns look at it; it cannot be hashed."""

    room: int


def executor_with(room: int) -> Any:
    return Room(room=room)


async def test_workers_that_join_give_turns() -> None:
    executor = executor_with(2)
    turns = FunctionTurns()
    held = 0
    most: list[int] = []
    go_on = anyio.Event()

    async def work(number: int) -> None:
        nonlocal held
        async with turns.turn(executor):
            held += 1
            most.append(held)
            if number == 0:
                executor.room = 5
            else:
                await go_on.wait()
            held -= 1

    async with anyio.create_task_group() as group:
        for number in range(9):
            group.start_soon(work, number)
        for _ in range(100):  # far more turns of the loop than are needed
            await checkpoint()
        assert max(most) == held == 5
        go_on.set()


def test_the_number_of_functions_is_bounded() -> None:
    assert functions_at_once(executor_with(1)) == MIN_AT_ONCE
    assert functions_at_once(executor_with(1000)) == MAX_AT_ONCE
    assert functions_at_once(executor_with(7)) == 7
