"""Signals from a user, a shell or a closing terminal, and the command that they end."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from certo.vocabulary.records import dataclass


@dataclass(slots=True)
class SignalEnding:
    """The signal that ended a command, if any did."""

    signal: signal.Signals | None = None


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end a command; without SIGHUP if `nohup` disabled it."""
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return tuple(each for each in ends if each != signal.SIGHUP or signal.getsignal(each) is not signal.SIG_IGN)


@asynccontextmanager
async def ended_by_signals() -> AsyncIterator[SignalEnding]:
    """Cancel the body, and every process it waits for, at the first such signal.

    A second signal meets Python's default handler, which ends the process at once.
    """
    ending = SignalEnding()
    async with anyio.create_task_group() as group:
        group.start_soon(_listen, ending, group.cancel_scope)
        yield ending
        group.cancel_scope.cancel()


async def _listen(ending: SignalEnding, scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(*ending_signals()) as signals:
        async for number in signals:
            ending.signal = signal.Signals(number)
            break
    scope.cancel()
