"""An editor is asked one thing at a time to ask again, and once more when something happened meanwhile."""

from __future__ import annotations

import anyio
from anyio.lowlevel import checkpoint

from certo.features.editor.window import Refresh


async def test_refreshes_wait_for_the_editors_answer() -> None:
    """A change while it has not answered brings exactly one more request."""
    asked = 0
    answers = [anyio.Event() for _ in range(3)]

    async def ask() -> None:
        nonlocal asked
        asked += 1
        await answers[asked - 1].wait()

    async with anyio.create_task_group() as group:
        refresh = Refresh(ask, group.start_soon)
        for _ in range(5):
            refresh.stir()
            await checkpoint()
        assert asked == 1
        answers[0].set()
        await anyio.wait_all_tasks_blocked()
        assert asked == 2, "something had happened since it was asked"
        answers[1].set()
        await anyio.wait_all_tasks_blocked()
        assert asked == 2
        refresh.stir()
        await checkpoint()
        assert asked == 3
        answers[2].set()
