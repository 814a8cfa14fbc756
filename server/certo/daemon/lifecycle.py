"""The life of the process: one task group owns everything, and every way of ending goes through the same door."""

from __future__ import annotations

import faulthandler
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial

import anyio
from anyio.abc import TaskGroup

from certo.daemon import parent
from certo.daemon.handshake import Greeting
from certo.daemon.inbox import listen
from certo.daemon.life import REAP_SECONDS, Life
from certo.daemon.outbox import Outbox
from certo.daemon.replay import initialize_request
from certo.daemon.server import Server, assemble

logger = logging.getLogger(__name__)

_FLUSH_SECONDS = 1.0

Assemble = Callable[[Server, TaskGroup], None]
"""Registers features with a server; gets the task group that owns all background work."""


def serve(greeting: Greeting, assemble: Assemble = assemble) -> int:
    """Serve the client that was greeted until it leaves; 0 when it asked for the end by `shutdown`, else 1."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="certo: %(levelname)s: %(name)s: %(message)s")
    # What matters reaches Server.report_server_error as well, once, and not as a traceback when the client is at fault.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    try:
        return anyio.run(partial(_live, greeting, assemble))
    except BaseExceptionGroup:  # a bug of ours, in work that was given no edge of its own
        logger.exception("the daemon cannot go on")
        return 1


async def _live(greeting: Greeting, assemble: Assemble) -> int:
    server = Server()
    protocol = server.protocol
    life = protocol.life
    outbox = Outbox(greeting.sink, lost=life.leave)
    protocol.set_writer(outbox)
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async with anyio.create_task_group() as root:
            root.start_soon(_bound_the_end, life)
            root.start_soon(outbox.drain)
            root.start_soon(_leave_on_signal, signals, life)
            root.start_soon(_leave_with_parent, greeting.params.get("processId"), life)
            async with anyio.create_task_group() as work:
                assemble(server, work)
                protocol.replay(initialize_request(greeting.params, server.converter))
                root.start_soon(_leave_after_stream, greeting, server)
                await life.ending.wait()
                work.cancel_scope.cancel()
            life.reaped.set()
            await life.leaving.wait()
            await _take_leave(server, outbox)
            root.cancel_scope.cancel()
    outbox.close()
    return 0 if protocol.was_shut_down else 1


async def _leave_on_signal(signals: AsyncIterator[signal.Signals], life: Life) -> None:
    async for _ in signals:
        life.leave()


async def _leave_with_parent(pid: object, life: Life) -> None:
    if isinstance(pid, int) and pid > 0:
        await parent.gone(pid)
        logger.warning("the client's process %s is gone; leaving", pid)
        life.leave()


async def _leave_after_stream(greeting: Greeting, server: Server) -> None:
    await listen(greeting.source, greeting.frames, server.protocol.receive)
    server.protocol.life.leave()


async def _bound_the_end(life: Life) -> None:
    """Once the end has begun, however it begins, see to it that it comes.

    The watchdog is none of Python's threads: it works even when the loop is blocked, says where, and exits with code 1.
    """
    try:
        await life.leaving.wait()
    finally:
        faulthandler.dump_traceback_later(REAP_SECONDS + _FLUSH_SECONDS, exit=True)


async def _take_leave(server: Server, outbox: Outbox) -> None:
    """Let every request that still runs be answered as cancelled, and the answers reach the client."""
    if not server.protocol.was_shut_down:
        server.protocol.cancel_requests()
    await server.protocol.requests_done()
    with anyio.move_on_after(_FLUSH_SECONDS):
        await outbox.flush()
