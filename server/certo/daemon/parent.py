"""The client's process, with which the daemon must die even when nobody closes the streams."""

from __future__ import annotations

import os

import anyio

_POLL_SECONDS = 1.0


async def gone(pid: int) -> None:
    """Return when the process is dead.

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
    """The same for systems without pidfd; a process that is dead but not yet buried still counts as alive."""
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        except PermissionError:
            pass  # somebody else's, but alive
        await anyio.sleep(_POLL_SECONDS)
