"""The signals by which a user, a shell or a closing terminal ends a command, and what they end."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio


@dataclass(slots=True)
class SignalEnding:
    """What ended a command from outside, if anything did."""

    signal: signal.Signals | None = None


def ending_signals() -> tuple[signal.Signals, ...]:
    """The signals that end a command; SIGHUP is not among them where `nohup` has asked to go on without a terminal."""
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return tuple(each for each in ends if each != signal.SIGHUP or signal.getsignal(each) is not signal.SIG_IGN)


@asynccontextmanager
async def ended_by_signals() -> AsyncIterator[SignalEnding]:
    """Cancel the body at the first signal that ends a command, and with it every process the body waits for.

    A second one finds Python's own answer in place, which is to go at once.
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
