"""Every lane gets its turn before one gets a second, background lanes come last, and no turn is lost."""

from __future__ import annotations

import anyio
from anyio.lowlevel import checkpoint

from certo.sandbox.cluster.fair_queue import FairQueue


async def order_of(turns: FairQueue, wanted: list[tuple[str, bool]]) -> list[str]:
    """Return the order in which all come in, when all wait and one of them goes at a time."""
    came: list[str] = []

    async def go(lane: str, background: bool) -> None:
        async with turns.taken(lane, background=background):
            came.append(lane)
            await checkpoint()

    async with anyio.create_task_group() as group, turns.taken("first", background=False):
        for lane, background in wanted:
            group.start_soon(go, lane, background)
        await anyio.wait_all_tasks_blocked()
    return came


async def test_lanes_take_turns() -> None:
    wanted = [("a", False)] * 4 + [("b", False)] * 2 + [("c", False)]
    assert await order_of(FairQueue(1), wanted) == ["a", "b", "c", "a", "b", "a", "a"]


async def test_background_lanes_wait_for_all_others() -> None:
    wanted = [("back", True)] * 2 + [("a", False)] * 2 + [("rear", True)] + [("b", False)]
    assert await order_of(FairQueue(1), wanted) == ["a", "b", "a", "back", "rear", "back"]


async def test_the_queue_can_grow_and_shrink() -> None:
    turns = FairQueue(1)
    turns.grow(2)
    most = now = 0

    async def go() -> None:
        nonlocal most, now
        async with turns.taken("a", background=False):
            now += 1
            most = max(most, now)
            await anyio.wait_all_tasks_blocked()
            now -= 1

    async with anyio.create_task_group() as group:
        for _ in range(7):
            group.start_soon(go)
    assert most == 3
    turns.grow(-2)
    assert await order_of(turns, [("a", False), ("b", False)]) == ["a", "b"]


async def test_cancelled_waiters_give_up_their_turn() -> None:
    turns = FairQueue(1)

    async def wait(scope: anyio.CancelScope) -> None:
        with scope:
            async with turns.taken("a", background=False):
                await anyio.sleep_forever()

    scopes = [anyio.CancelScope() for _ in range(3)]
    async with anyio.create_task_group() as group:
        for scope in scopes:
            group.start_soon(wait, scope)
            await anyio.wait_all_tasks_blocked()
        for scope in reversed(scopes):
            scope.cancel()
    assert await order_of(turns, [("b", False)]) == ["b"]
