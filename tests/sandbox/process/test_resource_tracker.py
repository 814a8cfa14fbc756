"""Resources that are running, by the search that started them, until they end."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio

from certo.sandbox.process.command import ask
from certo.sandbox.process.resource_tracker import ResourceTracker, entered, track


async def test_a_tracker_lists_only_its_own_tasks() -> None:
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


async def test_processes_are_tracked_until_dead(tmp_path: Path) -> None:
    """All processes of a session are."""
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


def test_untracked_resources_are_on_no_list() -> None:
    """Leaving twice does no harm."""
    leave = track("something")
    leave()
    roll = ResourceTracker()
    with roll.kept():
        leave = track("something else")
    assert roll.left() == ("something else",)
    leave()
    leave()
    assert roll.left() == ()
