"""What the tests of sessions share: the tests of one file run in one event loop.

The sandbox is chosen, and put to the test, once for each event loop, as it is once for each daemon.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Run the async tests of one file in one event loop."""
    return "asyncio"


@pytest.fixture(scope="module", autouse=True)
async def _one_event_loop(anyio_backend: str) -> AsyncIterator[None]:
    """Keep the loop from the first test of a file to its last."""
    yield
    await anyio.lowlevel.checkpoint()
