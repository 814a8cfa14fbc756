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


async def test_it_waits_as_long_as_the_process_lives(client: subprocess.Popen[bytes]) -> None:
    with anyio.move_on_after(0.05) as scope:
        await lifecycle.gone(client.pid)
    assert scope.cancelled_caught
    client.kill()
    with anyio.fail_after(100):
        await lifecycle.gone(client.pid)
    client.wait()
    with anyio.fail_after(100):
        await lifecycle.gone(client.pid)


async def test_where_the_kernel_offers_nothing_better_it_polls(client: subprocess.Popen[bytes]) -> None:
    with anyio.move_on_after(0.05) as scope:
        await lifecycle.gone_by_polling(client.pid)
    assert scope.cancelled_caught
    client.kill()
    client.wait()
    with anyio.fail_after(100):
        await lifecycle.gone_by_polling(client.pid)
