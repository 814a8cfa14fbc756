"""One event loop for the tests of a file, whose searches and prepared processes outlive a single test.

A file uses it by `pytestmark = pytest.mark.usefixtures("one_event_loop")`, in a folder whose `conftest.py` imports both
fixtures. A test that starts an event loop itself, as `certo.wait` does, has no place in such a file.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import pytest


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Run async tests on asyncio, as everywhere, and let the loop outlive a test."""
    return "asyncio"


@pytest.fixture(scope="module")
async def one_event_loop(anyio_backend: str) -> AsyncIterator[None]:
    """Keep the loop from the first test of a file to its last."""
    yield
    await anyio.lowlevel.checkpoint()
