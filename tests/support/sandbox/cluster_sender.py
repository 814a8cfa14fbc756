"""A process that sends a cluster the endless program of a stage that was set before, and waits for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio

from certo.sandbox.cluster.cluster_executor import join_cluster
from certo.sandbox.executor import Policy, Program, Work
from certo.sandbox.options import ExecutorOptions
from certo.sandbox.selection import choose_executor
from support.sandbox.cluster import PLAIN
from support.sandbox.stage import OURS


async def send(address: str, place: Path, argument: str) -> None:
    """Send it."""
    executor = await join_cluster(PLAIN, ExecutorOptions(cluster=address), lambda: choose_executor(PLAIN))
    work = Work(
        program=Program(home=place / "programs", module="certo_program"),
        request={"argument": argument},
        interpreter=OURS,
        root=place / "project",
        policy=Policy.SUBPROCESS,
    )
    await executor.run(work, lambda _: None)


if __name__ == "__main__":
    anyio.run(send, sys.argv[1], Path(sys.argv[2]), os.environ["ARGUMENT"])
