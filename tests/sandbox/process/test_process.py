"""One run from outside, where the daemon itself is what fails."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from uuid import uuid4

import anyio
import pytest

from certo.sandbox.executor import Policy
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.process import process, process_table
from support.sandbox.stage import Stage, living

DAEMON = """
    import sys
    from pathlib import Path

    import anyio

    from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
    from certo.sandbox.executor import Interpreter, Policy, Program, Work
    from certo.sandbox.local import LocalExecutor
    from certo.sandbox.options import SandboxOptions

    async def main(kind, root, home, argument):
        options = SandboxOptions()
        executor = LocalExecutor(options) if kind == "process" else BubblewrapExecutor(options, await find_bubblewrap())
        readable = tuple(map(Path, {sys.prefix, sys.base_prefix}))
        python = Interpreter(executable=Path(sys.executable), version=sys.version_info[:3], readable=readable, why="")
        work = Work(
            program=Program(home=Path(home), module="certo_program"),
            request={"argument": argument},
            interpreter=python,
            root=Path(root),
            policy=Policy.SUBPROCESS,
        )
        await executor.run(work, lambda message: print("ready", flush=True))

    anyio.run(main, *sys.argv[1:])
"""

PROGRAM = """
    import subprocess, sys, time

    def main(request, tell):
        code = "import time; time.sleep(1000)"
        subprocess.Popen([sys.executable, "-S", "-c", code, request["argument"]], start_new_session=True, env={})
        tell({"ready": True})
        time.sleep(1000)
"""


@pytest.mark.parametrize("kind", ["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
def test_nothing_survives_the_death_of_the_daemon(tmp_path: Path, kind: str) -> None:
    stage = Stage(tmp_path)
    stage.work(PROGRAM)
    argument = f"certo-test-{uuid4().hex}"
    command = [sys.executable, "-c", dedent(DAEMON), kind, str(stage.root), str(stage.home), argument]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == b"ready\n"
        # For a moment after its start a process has no words that could be read.
        while set(found := living(argument)) <= {daemon.pid}:
            time.sleep(0.01)
        watched = [os.pidfd_open(pid) for pid in found]
        daemon.kill()
        for watch in watched:
            assert died(watch, seconds=10)
    assert living(argument) == []


async def test_forks_are_ended_however_busy_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look came too early, and the supervisor had no time to end what it has below it."""
    descendants = process_table.descendants
    misses: list[list[process_table.Process]] = []
    monkeypatch.setattr(process_table, "descendants", lambda pid: misses.pop() if misses else descendants(pid))
    monkeypatch.setattr(process, "_DYING_SECONDS", 0.0)
    stage, argument = Stage(tmp_path), f"certo-test-{uuid4().hex}"
    work = stage.work(PROGRAM, request={"argument": argument}, policy=Policy.SUBPROCESS)

    def ready(_: object) -> None:
        misses.append([])
        scope.cancel()

    with anyio.CancelScope() as scope:
        await LocalExecutor(SandboxOptions()).run(work, ready)
    assert scope.cancelled_caught
    with anyio.fail_after(60):
        while True:
            await anyio.sleep(0.01)
            if not living(argument):
                break


def died(watch: int, *, seconds: float) -> bool:
    """True if the process behind a pidfd died within some seconds."""
    try:
        return bool(select.select([watch], [], [], seconds)[0])
    finally:
        os.close(watch)
