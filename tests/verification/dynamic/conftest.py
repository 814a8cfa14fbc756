"""Processes that the tests of a file share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from certo.concurrency import background_tasks
from certo.verification.dynamic.warm_pool import WarmPool
from support.projects.bench import Bench


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Run the tests of a file on one loop, on which they may share processes."""
    return "asyncio"


@pytest.fixture(scope="module")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """Yield a folder whose projects have nothing but pytest's own configuration, and so share a prepared process."""
    async with background_tasks() as group:
        yield Bench(tmp_path_factory.mktemp("bench"), WarmPool(group, is_shared=True))
