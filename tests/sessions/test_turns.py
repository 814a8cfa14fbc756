"""Turns of searches: the oldest begins alone, and none waits for ever."""

from __future__ import annotations

import anyio
import pytest

from certo.sessions import turns as module
from certo.sessions.turns import SearchTurns


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have turns for one search at a time."""
    monkeypatch.setattr(module, "processors", lambda: 2)


class Begun:
    """Searches that take turns; `order` are those that have begun."""

    def __init__(self) -> None:
        self.turns = SearchTurns()
        self.order: list[int] = []
        self.begun = [anyio.Event() for _ in range(3)]
        self.found = [anyio.Event() for _ in range(3)]
        self.ended = [anyio.Event() for _ in range(3)]
        self.scopes = [anyio.CancelScope() for _ in range(3)]

    async def search(self, number: int) -> None:
        """Be one search to its end."""
        with self.scopes[number]:
            async with self.turns.taken(self.found[number]):
                self.order.append(number)
                self.begun[number].set()
                await self.ended[number].wait()


@pytest.mark.parametrize("how", ["found", "ended", "cancelled"])
async def test_next_search_begins_after_the_first_candidate(how: str) -> None:
    begun = Begun()
    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(begun.search, number)
            await anyio.wait_all_tasks_blocked()
        assert (begun.order, begun.turns.busy) == ([0], True)
        # One that is cancelled while it waits leaves its place to the next.
        begun.scopes[1].cancel()
        if how == "cancelled":
            begun.scopes[0].cancel()
        else:
            getattr(begun, how)[0].set()
        await begun.begun[2].wait()
        assert begun.order == [0, 2]
        group.cancel_scope.cancel()
    assert not begun.turns.busy


async def test_search_without_candidate_lets_others_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SECONDS", 0.05)
    begun = Begun()
    async with anyio.create_task_group() as group:
        group.start_soon(begun.search, 0)
        group.start_soon(begun.search, 1)
        await begun.begun[0].wait()
        await begun.begun[1].wait()
        group.cancel_scope.cancel()
