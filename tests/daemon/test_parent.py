"""Noticing that another process has died."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import anyio
import pytest

from certo.daemon import lifecycle


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL) as client:
        yield client
        client.kill()


async def test_waiting_lasts_as_long_as_the_process(client: subprocess.Popen[bytes]) -> None:
    with anyio.move_on_after(0.05) as scope:
        await lifecycle.gone(client.pid)
    assert scope.cancelled_caught
    client.kill()
    with anyio.fail_after(100):
        await lifecycle.gone(client.pid)
    client.wait()
    with anyio.fail_after(100):
        await lifecycle.gone(client.pid)


async def test_polling_notices_the_end_as_well(client: subprocess.Popen[bytes]) -> None:
    """Polling is the way on kernels that offer nothing better."""
    with anyio.move_on_after(0.05) as scope:
        await lifecycle.gone_by_polling(client.pid)
    assert scope.cancelled_caught
    client.kill()
    client.wait()
    with anyio.fail_after(100):
        await lifecycle.gone_by_polling(client.pid)
