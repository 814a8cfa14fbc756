"""The end of a run whose executor dies in the middle of ending it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from certo.guests import WORKER_HOME
from certo.sandbox.process import process_table

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups to end")

EXECUTOR = """
import os
import signal
import sys
from pathlib import Path

import anyio

from certo.sandbox.process import process_table, process
from certo.sandbox.executor import Limits

keeper, scratch, begins, held = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])


def die(_pid):
    os.kill(os.getpid(), signal.SIGKILL)


async def main():
    launch = process.Launch(
        command=[sys.executable, "-B", "-c", keeper, str(begins)],
        environment={**os.environ, "PYTHONPATH": sys.argv[5], "SCRATCH": str(scratch)},
        directory=scratch,
        limits=Limits(),
        mark=str(scratch),
        inherited=(begins, held),
    )
    with anyio.CancelScope() as scope:
        scope.cancel()
        await process.conduct(launch, lambda message: None)


process_table.descendants = die
anyio.run(main)
"""
"""An executor that gives up while the keeper of its run is starting, and is killed as soon as it looks what to end."""

KEEPER = """
import os
import sys

from certo_worker.process import supervisor

os.read(int(sys.argv[1]), 1)
supervisor.keep(lambda: 0, int(sys.argv[3]), os.getppid(), hidden=False, privileged=False)
"""
"""A keeper that is not yet told to begin: it has not asked to die with its parent."""


def test_executor_killed_while_ending_leaves_nothing_stopped(tmp_path: Path) -> None:
    """A keeper that has not begun when its executor is killed ends by itself as soon as it begins."""
    begins, begin = os.pipe()
    gone, held = os.pipe()
    command = [sys.executable, "-c", EXECUTOR, KEEPER, str(tmp_path), str(begins), str(held), str(WORKER_HOME)]
    try:
        executor = subprocess.run(command, pass_fds=[begins, held], timeout=60)
        os.close(held)
        os.write(begin, b"!")
        assert executor.returncode == -signal.SIGKILL
        # Nobody but the keeper holds the other end now.
        assert select.select([gone], [], [], 60)[0], "the keeper is still there"
    finally:
        process_table.kill(process_table.members(-1, str(tmp_path)))
        for end in (begins, begin, gone):
            os.close(end)
