"""What every test may rely on."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, which is what the daemon runs on."""
    return "asyncio"
