"""Short commands: start another program, read its answer, leave nothing of it behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from certo.sandbox.process.resource_tracker import track
from certo.sandbox.process.starvation import patient_limit
from certo.vocabulary.records import dataclass

SECONDS = 10.0
"""Maximum time for a program to answer."""

_MAX_ITEMS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """The output of a program and its exit status (minus the signal's number if a signal ended it)."""

    status: int
    out: str
    err: str

    @property
    def last_words(self) -> str:
        """The last line it printed, on standard error rather than standard output, shortened for a message."""
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return lines[-1].strip()[:200] if lines else "it printed nothing"


async def ask(
    command: Sequence[str], *, environ: Mapping[str, str], directory: Path = Path("/"), seconds: float = SECONDS
) -> CommandResult:
    """Run `command` in its own session, with nothing on its standard input, and return its result.

    However this ends, the whole process group is dead when it does. At most 1 MiB of each output is kept.

    Raises:
        OSError: The program cannot be started.
        TimeoutError: It did not end within `seconds`, without those in which no processor was free.
    """
    # If interrupted between fork and our holding it, no one could clean up the process and its pipes.
    with anyio.CancelScope(shield=True):
        process = await anyio.open_process(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environ,
            start_new_session=True,
        )
    leave = track(f"a question to {Path(command[0]).name}", process.pid)
    kept: dict[str, bytes] = {}

    async def keep(name: str, stream: ByteReceiveStream) -> None:
        kept[name] = b""
        async for chunk in stream:
            kept[name] += chunk[: _MAX_ITEMS - len(kept[name])]

    try:
        async with patient_limit(seconds) as limit:
            async with anyio.create_task_group() as readers:
                for name, stream in (("out", process.stdout), ("err", process.stderr)):
                    if stream is not None:
                        readers.start_soon(keep, name, stream)
            status = await process.wait()
        if limit.ended:
            raise TimeoutError(f"it did not end within {seconds:g} s")
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
        leave()
    out, err = (kept.get(name, b"").decode("utf-8", "replace") for name in ("out", "err"))
    return CommandResult(status=status, out=out, err=err)


async def _end(process: Process) -> None:
    """Kill the rest of the process group (only the process on Windows), and reap the process."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await process.aclose()
