"""What a program says to the executor: JSON lines on a pipe of their own, never on standard output."""

from __future__ import annotations

import json
import os
import threading
from typing import Any


class Channel:
    """The program's way out.

    Only the process that opened it is heard: a test that forks and lets the copy run on would otherwise tell
    everything twice, and say that the program is complete while it still runs.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._process = os.getpid()
        self._lock = threading.Lock()
        # Programs that a test starts must not hold our pipe open, nor find it.
        os.set_inheritable(descriptor, False)

    def tell(self, message: dict[str, Any]) -> None:
        """Say one JSON object; what JSON cannot carry raises TypeError or ValueError."""
        self._write({"tell": message})

    def end(self, how: str) -> None:
        """Say how the program ended: `complete` when it returned, `memory` when it ran out of memory."""
        self._write({"end": how})

    def _write(self, line: dict[str, Any]) -> None:
        rest = memoryview(json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n")
        if os.getpid() != self._process:
            return
        with self._lock:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
