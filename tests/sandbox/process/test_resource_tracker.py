"""The roll of what is running: who is on it, in whose name, and until when."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio

from certo.sandbox.process.command import ask
from certo.sandbox.process.resource_tracker import ResourceTracker, entered, track


async def test_what_a_task_starts_is_on_its_roll_and_on_nobody_elses() -> None:
    one, other, begun = ResourceTracker(), ResourceTracker(), anyio.Event()

    async def child() -> None:
        with entered("a connection"):
            begun.set()
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        with one.kept():
            group.start_soon(child)
        await begun.wait()
        with other.kept(), entered("another"):
            assert (one.left(), other.left()) == (("a connection",), ("another",))
        assert other.left() == ()
        group.cancel_scope.cancel()
    assert one.left() == ()


async def test_a_process_is_on_the_roll_with_all_of_its_session_until_they_are_dead(tmp_path: Path) -> None:
    roll, pipe = ResourceTracker(), tmp_path / "running"
    program = f"import os, time; child = os.fork(); child and open({str(pipe)!r}, 'w').close(); time.sleep(600)"
    with roll.kept():
        async with anyio.create_task_group() as group:

            async def asking() -> None:
                await ask([sys.executable, "-c", program], environ={}, seconds=60)

            group.start_soon(asking)
            with anyio.fail_after(100):
                # The program may have forked before we know of it ourselves.
                while not await anyio.Path(pipe).exists() or not roll.left():  # noqa: ASYNC110 - nobody tells
                    await anyio.sleep(0.01)
            left = roll.left()
            assert len(left) == 2
            assert all(words.startswith("process ") and "a question to python" in words for words in left)
            group.cancel_scope.cancel()
    assert roll.left() == ()


def test_what_is_entered_when_nobody_keeps_a_roll_is_on_none() -> None:
    leave = track("something")
    leave()
    roll = ResourceTracker()
    with roll.kept():
        leave = track("something else")
    assert roll.left() == ("something else",)
    leave()
    leave()
    assert roll.left() == ()
