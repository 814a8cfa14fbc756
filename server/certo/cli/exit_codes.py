"""The exit codes of the command, which scripts rely on."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

SOLVED = 0
"""There is a verified winner, or what was asked went well."""

NONE = 1
"""The search ended without a verified winner."""

BAD_REQUEST = 2
"""The command line or its target is not as it should be."""

BROKEN_WORLD = 3
"""Something outside certo is missing or unusable."""

BUG = 70
"""A bug of certo's own (EX_SOFTWARE of sysexits.h)."""

INTERRUPTED = 130
"""SIGINT ended it; a shell shows 128 plus the signal's number."""

PIPE_CLOSED = 141
"""The reader of standard output has gone, as for a program that SIGPIPE ends."""


@dataclass(slots=True)
class Ending:
    """What ended a command from outside, if anything did."""

    signal: signal.Signals | None = None


def ending_signals() -> tuple[signal.Signals, ...]:
    """The signals that end a command; SIGHUP is not among them where `nohup` has asked to go on without a terminal."""
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return tuple(each for each in ends if each != signal.SIGHUP or signal.getsignal(each) is not signal.SIG_IGN)


@asynccontextmanager
async def ended_by_signals() -> AsyncIterator[Ending]:
    """Cancel the body at the first signal that ends a command, and with it every process the body waits for.

    A second one finds Python's own answer in place, which is to go at once.
    """
    ending = Ending()
    async with anyio.create_task_group() as group:
        group.start_soon(_listen, ending, group.cancel_scope)
        yield ending
        group.cancel_scope.cancel()


async def _listen(ending: Ending, scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(*ending_signals()) as signals:
        async for number in signals:
            ending.signal = signal.Signals(number)
            break
    scope.cancel()
