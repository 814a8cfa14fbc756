"""An executor with nothing around what it runs: for public sets, on a machine too busy for the sandbox's priority."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from certo.sandbox.executor import Ending, Executor, Finished, Message, Policy, Work

WORKER = Path(__file__).resolve().parents[2] / "server" / "certo" / "guests" / "worker"

CHILD = """
import importlib, json, os, sys

said = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
request, preparation = json.load(sys.stdin)
program = importlib.import_module(sys.argv[1])
if preparation is not None:
    program.prepare(preparation)
program.main(request, lambda message: print(json.dumps(message), file=said, flush=True))
"""


class UnguardedExecutor:
    """Runs each program as a plain process, at the priority of whoever asks and over the files as they are on disk."""

    isolation = "not confined"
    policies = (Policy.STRICT,)
    forks = False

    def isolation_under(self, _policy: Policy, /) -> str:
        """How runs are confined: not at all."""
        return self.isolation

    @asynccontextmanager
    async def warmed(self, _work: Work, /) -> AsyncIterator[Executor]:
        """This one; nothing is made warm."""
        yield self

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end, or as long as it may by the clock; what it said is told when it has ended."""
        for path, text in work.overlay.items():
            assert (work.root / path).read_text(encoding="utf-8") == text, "what is searched is what is on disk"
        begun = time.monotonic()
        ending, status, printed = Ending.WALL, -9, ""
        with anyio.move_on_after(work.limits.wall_seconds):
            done = await anyio.run_process(
                [str(work.interpreter.executable), "-c", CHILD, work.program.module],
                input=json.dumps([work.request, work.preparation]).encode(),
                cwd=work.root,
                env={"PYTHONPATH": f"{work.program.home}:{WORKER}", "PYTHONHASHSEED": "0"},
                stderr=subprocess.PIPE,
                check=False,
            )
            for line in done.stdout.splitlines():
                tell(json.loads(line))
            ending, status, printed = Ending.EXITED, done.returncode, done.stderr.decode(errors="replace")[-2000:]
        seconds = time.monotonic() - begun
        complete = ending is Ending.EXITED and not status
        return Finished(
            ending=ending, status=status, complete=complete, seconds=seconds, cpu_seconds=0.0, printed=printed
        )
