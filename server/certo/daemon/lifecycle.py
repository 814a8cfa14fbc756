"""Lifecycle of a process that serves one client on its standard streams, and parts common to all modes."""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import anyio

from certo.daemon.connection import FLUSH_SECONDS, Assemble, ClientConnection
from certo.daemon.handshake import Greeting
from certo.daemon.stages import ENDING_SIGNALS, REAP_SECONDS, Stages
from certo.vocabulary.log_text import LogFormatter

_POLL_SECONDS = 1.0
_END_SECONDS = 5 * (REAP_SECONDS + FLUSH_SECONDS)
"""Maximum duration of the shutdown by the clock, which a busy machine delays."""


async def gone(pid: int) -> None:
    """Wait until a process is dead.

    PR_SET_PDEATHSIG is no substitute: it watches the thread that started us, which need not be the client.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except OSError:  # a kernel before 5.3, or a container that forbids the call
        await gone_by_polling(pid)
        return
    try:
        await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)


async def gone_by_polling(pid: int) -> None:
    """Wait until a process is dead on systems without pidfd; a zombie still counts as alive."""
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        except PermissionError:
            pass  # somebody else's, but alive
        await anyio.sleep(_POLL_SECONDS)


logger = logging.getLogger(__name__)


def serve(greeting: Greeting, assemble: Assemble) -> int:
    """Serve a greeted client with what `assemble` offers until it leaves; return 0 if it sent `shutdown`, else 1."""
    return run(partial(_live, greeting, assemble))


def run(live: Callable[[], Awaitable[int]]) -> int:
    """Run a daemon and return its exit code; its log goes to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter("certo: %(levelname)s: %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    # Important errors reach Server.report_server_error as well, once, and without a traceback if the client is at
    # fault.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    try:
        return anyio.run(live)
    except BaseExceptionGroup:  # a bug of ours, in work that was given no edge of its own
        logger.exception("the daemon cannot go on")
        return 1


async def _live(greeting: Greeting, assemble: Assemble) -> int:
    conversation = ClientConnection(greeting.sink)
    life = conversation.life
    with anyio.open_signal_receiver(*ENDING_SIGNALS) as signals:
        async with anyio.create_task_group() as root:
            root.start_soon(bound_the_end, life.leaving)
            root.start_soon(_leave_on_signal, signals, life)
            root.start_soon(_leave_with_parent, greeting.params.get("processId"), life)
            await conversation.hold(greeting, assemble)
            root.cancel_scope.cancel()
    return 0 if conversation.was_shut_down else 1


async def _leave_on_signal(signals: AsyncIterator[signal.Signals], life: Stages) -> None:
    async for _ in signals:
        life.leave()


async def _leave_with_parent(pid: object, life: Stages) -> None:
    if isinstance(pid, int) and pid > 0:
        await gone(pid)
        logger.warning("the client's process %s is gone; leaving", pid)
        life.leave()


async def bound_the_end(end: anyio.Event) -> None:
    """Limit the duration of the shutdown once it has begun, for any reason.

    The watchdog is no Python thread: it works even if the loop is blocked, prints the place, and exits with code 1.
    """
    try:
        await end.wait()
    finally:
        faulthandler.dump_traceback_later(_END_SECONDS, exit=True)
