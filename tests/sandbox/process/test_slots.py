"""Slots: never more at once than there are, interactive runs before background ones, the oldest search first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import anyio
from anyio.lowlevel import checkpoint
from hypothesis import given
from hypothesis import strategies as some

from certo.sandbox.executor import Program, Work
from certo.sandbox.process.slots import Slots, own_place, processors
from support.sandbox.stage import OURS

INTERACTIVE = Work(program=Program(home=Path("/"), module=""), request={}, interpreter=OURS, root=Path("/"))
BACKGROUND = replace(INTERACTIVE, background=True)
STANDING = replace(INTERACTIVE, standing=True)

Step = tuple[Literal["arrive", "arrive in background", "end", "cancel", "end and cancel the next"], int]
STEPS = some.lists(
    some.tuples(
        some.sampled_from(["arrive", "arrive in background", "end", "cancel", "end and cancel the next"]),
        some.integers(0, 20),
    ),
    max_size=40,
)


class Crowd:
    """Runs that come and go, beside what ought to become of them: who is in, and who waits in which line."""

    def __init__(self, total: int) -> None:
        self.slots = Slots(total)
        self.total = total
        self.inside: list[int] = []
        self.expected: list[int] = []
        self.waiting: list[int] = []
        self.in_background: list[int] = []
        self.scopes: dict[int, anyio.CancelScope] = {}
        self.ends: dict[int, anyio.Event] = {}

    async def run(self, number: int, work: Work) -> None:
        """Be one run, from its arrival to its end."""
        with self.scopes[number]:
            async with self.slots.taken(work):
                self.inside.append(number)
                try:
                    await self.ends[number].wait()
                finally:
                    self.inside.remove(number)

    def admit(self) -> None:
        """Let in whoever ought to come in."""
        while len(self.expected) < self.total and (line := self.waiting or self.in_background):
            self.expected.append(line.pop(0))

    def next_in_line(self) -> int | None:
        """Return the run that ought to come in next."""
        return next(iter(self.waiting + self.in_background), None)

    def cancel(self, number: int) -> None:
        """End a run by cancelling it, wherever it stands."""
        self.scopes[number].cancel()
        for line in (self.expected, self.waiting, self.in_background):
            if number in line:
                line.remove(number)

    def end(self, number: int) -> None:
        """Let a run come to its end."""
        self.ends[number].set()
        self.expected.remove(number)


async def live_through(steps: list[Step], total: int) -> None:
    """Take the steps and compare, after each, who is in with who ought to be."""
    crowd = Crowd(total)
    async with anyio.create_task_group() as group:
        for number, (what, which) in enumerate(steps):
            known = crowd.expected + crowd.waiting + crowd.in_background
            if what.startswith("arrive"):
                background = what == "arrive in background"
                crowd.scopes[number], crowd.ends[number] = anyio.CancelScope(), anyio.Event()
                (crowd.in_background if background else crowd.waiting).append(number)
                group.start_soon(crowd.run, number, BACKGROUND if background else INTERACTIVE)
            elif what == "cancel" and known:
                crowd.cancel(known[which % len(known)])
            elif what.startswith("end") and crowd.expected:
                crowd.end(crowd.expected[which % len(crowd.expected)])
                # After one turn of the loop the slot has been handed on, and who got it has not run yet.
                await checkpoint()
                if what != "end" and (following := crowd.next_in_line()) is not None:
                    crowd.cancel(following)
            crowd.admit()
            await anyio.wait_all_tasks_blocked()
            assert sorted(crowd.inside) == sorted(crowd.expected)
            assert len(crowd.inside) == min(total, len(crowd.expected + crowd.waiting + crowd.in_background))
        group.cancel_scope.cancel()
    assert crowd.inside == []
    assert await how_many_come_in(crowd.slots, total + 1) == total


async def how_many_come_in(slots: Slots, comers: int) -> int:
    """Return the number of runs that are in, of so many that come at once, when nothing moves any more."""
    inside = []

    async def stay(number: int) -> None:
        async with slots.taken(INTERACTIVE):
            inside.append(number)
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        for number in range(comers):
            group.start_soon(stay, number)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    return len(inside)


@given(steps=STEPS, total=some.integers(1, 3))
def test_slots_admit_runs_in_order(steps: list[Step], total: int) -> None:
    """Runs come and go in any order."""
    anyio.run(live_through, steps, total)


async def order_of(steps: list[str]) -> list[str]:
    """Return the order in which runs come in, one after the other, that arrived as given while the slot was taken.

    A run is named by its search, and by its candidate in it, if it has any: `a` is a run of search a, `a1` one for its
    first candidate. Searches and their candidates begin in the order of their names.
    """
    slots, came_in = Slots(1), list[str]()
    arrived = {name: anyio.Event() for name in steps}

    async def run(name: str) -> None:
        await arrived[name].wait()
        async with slots.taken(INTERACTIVE):
            came_in.append(name)

    async with anyio.create_task_group() as group, slots.taken(INTERACTIVE):
        for search in sorted({name[0] for name in steps}):
            with own_place():
                for name in sorted(name for name in steps if name[0] == search):
                    if len(name) == 1:
                        group.start_soon(run, name)
                        continue
                    with own_place():
                        group.start_soon(run, name)
        for name in steps:
            arrived[name].set()
            await anyio.wait_all_tasks_blocked()
    return came_in


async def test_oldest_search_and_candidate_go_first() -> None:
    assert await order_of(["c", "a2", "b", "a1"]) == ["a1", "a2", "b", "c"]


async def test_run_that_waited_longest_is_not_starved() -> None:
    """Every fourth slot goes by arrival."""
    assert await order_of(["b", "a1", "a2", "a3", "a4", "a5"]) == ["a1", "a2", "a3", "b", "a4", "a5"]


async def test_runs_of_no_search_go_first() -> None:
    slots, came_in = Slots(1), list[str]()

    async def run(name: str) -> None:
        async with slots.taken(INTERACTIVE):
            came_in.append(name)

    async with anyio.create_task_group() as group, slots.taken(INTERACTIVE):
        with own_place():
            group.start_soon(run, "of a search")
            await anyio.wait_all_tasks_blocked()
        group.start_soon(run, "accepted")
        await anyio.wait_all_tasks_blocked()
    assert came_in == ["accepted", "of a search"]


async def test_a_standing_run_needs_no_slot() -> None:
    slots = Slots(1)
    async with slots.taken(INTERACTIVE), slots.taken(STANDING), slots.taken(STANDING):
        pass


async def test_slots_default_to_the_processors() -> None:
    assert await how_many_come_in(Slots(None), processors() + 2) == processors()


async def test_slots_grow_and_shrink() -> None:
    slots = Slots(1)
    slots.grow(2)
    assert await how_many_come_in(slots, 5) == 3
    slots.grow(-2)
    assert await how_many_come_in(slots, 5) == 1


async def test_waiting_runs_come_in_when_slots_grow() -> None:
    slots, inside = Slots(1), []

    async def run() -> None:
        async with slots.taken(INTERACTIVE):
            inside.append("one")

    async with anyio.create_task_group() as group, slots.taken(INTERACTIVE):
        group.start_soon(run)
        await anyio.wait_all_tasks_blocked()
        assert inside == []
        slots.grow(1)
        await anyio.wait_all_tasks_blocked()
        assert inside == ["one"]
