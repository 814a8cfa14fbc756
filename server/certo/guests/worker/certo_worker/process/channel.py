"""Message channel from a program to the executor: JSON lines on a separate pipe, never on standard output."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

from certo_worker.process import own_descriptors


class Channel:
    """Message channel of the program.

    Only the process that opened it can send: a test that forks and lets the copy run on would otherwise send everything
    twice, and report completion while the program still runs.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._process = os.getpid()
        self._lock = threading.Lock()
        # Copies of this process, and programs that a test starts, must not hold our pipe open, nor write to it.
        own_descriptors.keep(descriptor)

    def tell(self, message: dict[str, Any]) -> None:
        """Send one JSON object; raise TypeError or ValueError if it has no form in JSON."""
        self._write({"tell": message})

    def end(self, how: str) -> None:
        """Report how the program ended: `complete` if it returned, `memory` if it ran out of memory."""
        self._write({"end": how})

    def _write(self, line: dict[str, Any]) -> None:
        rest = memoryview(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n")
        if os.getpid() != self._process:
            return
        with self._lock:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
