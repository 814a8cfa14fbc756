"""Stopping a search for good: what it runs is dead, and what it has open closed, before anybody is told so."""

from __future__ import annotations

import time

import anyio

from certo.sandbox.roll import Roll
from certo.vocabulary.errors import CancelIncomplete

STOP_SECONDS = 2.0
"""How long a search may take to be gone."""


async def stop(scope: anyio.CancelScope, stopped: anyio.Event, roll: Roll) -> float:
    """Cancel `scope` and wait for `stopped`; returns after how many seconds nothing of the search was left.

    Raises:
        CancelIncomplete: something is left after STOP_SECONDS; the message names it.
    """
    began = time.monotonic()
    scope.cancel()
    with anyio.move_on_after(STOP_SECONDS):
        await stopped.wait()
    left = roll.left()
    if left or not stopped.is_set():
        named = "; ".join(left) or "work of certo's own, whose processes are dead"
        raise CancelIncomplete(
            f"the search was cancelled, and after {STOP_SECONDS:g} s this of it is left: {named}. It goes on being "
            "killed; look at the machine if it stays"
        )
    return time.monotonic() - began
