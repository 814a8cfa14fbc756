"""How far a client's conversation has come: three points, each reached at most once."""

from __future__ import annotations

import anyio

REAP_SECONDS = 2.0
"""How long dying searches and processes are waited for."""


class Stages:
    """Three points in time. `ending`: no more work, what runs is cancelled. `reaped`: nothing of it is left.

    `leaving`: the conversation ends, and the process with it that serves nobody else. `shutdown` brings the first two,
    everything else that ends a conversation brings all three.
    """

    def __init__(self) -> None:
        self.ending = anyio.Event()
        self.reaped = anyio.Event()
        self.leaving = anyio.Event()

    async def end_work(self) -> None:
        """Have all work cancelled, and wait until it is gone, but no longer than REAP_SECONDS."""
        self.ending.set()
        with anyio.move_on_after(REAP_SECONDS):
            await self.reaped.wait()

    def leave(self) -> None:
        """Have the conversation end."""
        self.ending.set()
        self.leaving.set()
