"""The messages of this program while it searches: progress now and then, candidates at once, and how it ended."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Optional, Sequence

from certo_builtin.execution.allowance import Allowance
from certo_builtin.source import Edit

MORE = 256
"""Trials after those that the first find took, and as many again as that took; the others are near it or far away."""

PATIENCE = 8.0
"""Seconds of the search that the first find waits for others at most: a backstop, for where trials are slow."""


class Gathering:
    """Counts what got through, up to `most`, and says when to leave it at that.

    What passes the same tests may be right or wrong, and which of them is shown first is decided by how many of them
    agree. So a search does not end with its first find. Its length is counted in trials, so that it ends with the same
    finds on a slow machine and on a fast one.
    """

    def __init__(self, most: int, allowance: Allowance) -> None:
        self.most = most
        self._allowance = allowance
        self.count = 0
        self._last: Optional[int] = None
        self._left = 0.0

    def add(self, tried: int) -> None:
        """Count one that got through, after so many trials."""
        self.count += 1
        if self._last is None:
            self._last = 2 * tried + MORE
            self._left = self._allowance.left - PATIENCE

    def is_enough(self, tried: int) -> bool:
        """True if no more are looked for, after so many trials."""
        if self._last is None:
            return False
        return self.count >= self.most or tried >= self._last or self._allowance.left <= self._left


PAUSE = 0.5
"""Seconds between two progress messages, at least."""


class Teller:
    """Says things to the daemon's side through `tell`, and keeps count of the candidates that are `gathered`."""

    def __init__(self, tell: Callable[[Dict[str, Any]], None], gathered: Gathering) -> None:
        self._tell = tell
        self.gathered = gathered
        self.first: Sequence[Edit] = ()
        self._last = -PAUSE

    def progress(self, message: str) -> None:
        """Say how far the search is, unless that was said just now."""
        now = time.monotonic()
        if now - self._last >= PAUSE:
            self._last = now
            self._tell({"kind": "progress", "message": message})

    def candidate(
        self, edits: Sequence[Edit], note: str, *, weight: float, tried: int, confidence: Optional[float] = None
    ) -> None:
        """Hand over edits that passed the checks here, after so many trials.

        `weight` says how likely they are among the others. `confidence` says how far examples speak for them, in bits
        of what they explain for each part they are made of; None where they change code that was there.
        """
        self.first = self.first or edits
        self.gathered.add(tried)
        self._tell(
            {
                "kind": "candidate",
                "edits": [list(edit) for edit in edits],
                "note": note,
                "weight": weight,
                "confidence": confidence,
            }
        )

    def done(self, reason: str) -> None:
        """Say how the search ended; nothing follows."""
        self._tell({"kind": "done", "reason": reason})


def counted(number: int, noun: str) -> str:
    """A number of things in words."""
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")
