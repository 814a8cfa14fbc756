"""Stages of a client's conversation: three points, each reached at most once."""

from __future__ import annotations

import signal

import anyio

from certo.sandbox.process.starvation import patient_limit

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that end a daemon."""

REAP_SECONDS = 2.0
"""Maximum wait for searches and processes to end, without the time in which no processor is free."""


class Stages:
    """Three points in time. `ending`: work is cancelled and none accepted. `reaped`: all of it has ended.

    `leaving`: the conversation ends, and so does the process if it serves no one else. `shutdown` brings the first two;
    everything else that ends a conversation brings all three.
    """

    def __init__(self) -> None:
        self.ending = anyio.Event()
        self.reaped = anyio.Event()
        self.leaving = anyio.Event()

    async def end_work(self) -> None:
        """Cancel all work and wait until it has ended, at most REAP_SECONDS."""
        self.ending.set()
        async with patient_limit(REAP_SECONDS):
            await self.reaped.wait()

    def leave(self) -> None:
        """End the conversation."""
        self.ending.set()
        self.leaving.set()
