"""A process that is many dask workers at once, to see a scheduler with hundreds of them."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack

import anyio
from distributed import Worker


async def serve(address: str, workers: int) -> None:
    """Run so many workers of two threads each until the process is ended."""
    async with AsyncExitStack() as serving:
        for _ in range(workers):
            await serving.enter_async_context(Worker(address, nthreads=2, dashboard=False, memory_limit=None))
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(serve, sys.argv[1], int(sys.argv[2]))
