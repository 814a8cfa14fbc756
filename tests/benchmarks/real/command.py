"""Runs of the command `certo` in a clone, with what they cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BEYOND = 600.0
"""Seconds that a search may take beyond its own limit before the command is stopped."""


@dataclass(frozen=True)
class Answer:
    """What the command said, and its cost: seconds, processor seconds, and MB of its largest process."""

    lines: tuple[dict[str, Any], ...]
    said: str
    code: int
    seconds: float
    processor: float
    megabytes: float

    @property
    def last(self) -> dict[str, Any]:
        """The last line: how a search ended, or the report of a function; empty if there is none."""
        return self.lines[-1] if self.lines else {}


def ask(*arguments: str, at: Path, seconds: float) -> Answer:
    """Run a sub-command of certo with JSON output; its searches are stored in a folder that is gone afterwards."""
    command = [sys.executable, "-m", "certo", *arguments, "--json"]
    with tempfile.TemporaryDirectory() as state, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        environment = {**os.environ, "XDG_STATE_HOME": state, "XDG_CACHE_HOME": state, "XDG_DATA_HOME": state}
        began = time.perf_counter()
        running = subprocess.Popen(
            command, cwd=at, env=environment, stdout=out, stderr=said, stdin=subprocess.DEVNULL, start_new_session=True
        )
        status, used = _waited_for(running.pid, began + seconds + BEYOND)
        took = time.perf_counter() - began
        running.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said.seek(0)
        lines = tuple(json.loads(line) for line in out.read().decode().splitlines() if line.startswith("{"))
        words = said.read().decode()[-400:].strip()
    spent = used.ru_utime + used.ru_stime
    return Answer(lines, words, running.returncode, took, spent, used.ru_maxrss / 1024)


def _waited_for(pid: int, until: float) -> tuple[int, Any]:
    """Return the status and the resources of a process and its children; it is stopped when its time is over."""
    while time.perf_counter() < until:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, used
        time.sleep(0.01)
    os.killpg(pid, signal.SIGKILL)
    _, status, used = os.wait4(pid, 0)
    return status, used
