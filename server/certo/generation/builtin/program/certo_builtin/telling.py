"""What this program says while it searches: progress now and then, candidates at once, and how it ended."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Sequence

from certo_builtin.source import Edit

PAUSE = 0.5
"""Seconds between two progress messages, at least."""


class Teller:
    """Says things to the daemon's side through `tell`."""

    def __init__(self, tell: Callable[[Dict[str, Any]], None]) -> None:
        self._tell = tell
        self._last = -PAUSE

    def progress(self, message: str) -> None:
        """Say how far the search is, unless that was said just now."""
        now = time.monotonic()
        if now - self._last >= PAUSE:
            self._last = now
            self._tell({"kind": "progress", "message": message})

    def candidate(self, edits: Sequence[Edit], note: str) -> None:
        """Hand over edits that passed the checks here."""
        self._tell({"kind": "candidate", "edits": [list(edit) for edit in edits], "note": note})

    def done(self, reason: str) -> None:
        """Say how the search ended; nothing follows."""
        self._tell({"kind": "done", "reason": reason})


def counted(number: int, noun: str) -> str:
    """A number of things in words."""
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")
