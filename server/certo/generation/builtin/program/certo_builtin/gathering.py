"""How many candidates are gathered before the search ends: more than are shown, as long as they are cheap to find."""

from __future__ import annotations

from typing import Optional

from certo_builtin.allowance import Allowance

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
        """Whether no more are looked for, after so many trials."""
        if self._last is None:
            return False
        return self.count >= self.most or tried >= self._last or self._allowance.left <= self._left
