"""Messages of this program during a search: progress, candidates, and the ending."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Dict, Optional, Sequence

from certo_builtin.execution.allowance import Allowance
from certo_builtin.source import Edit

MIN_FURTHER_TRIALS = 256
"""Minimum number of trials after the first plausible candidate, besides as many as it took."""

MAX_WAIT_SECONDS = 8.0
"""Maximum time that the first plausible candidate waits for others: a backstop for slow trials."""


class StoppingRule:
    """Rule for ending a search: `most` plausible candidates, or enough trials after the first.

    Candidates that pass the same tests may be right or wrong, and agreement among them decides which is shown first. So
    a search does not end with its first one. The rule counts trials, so that it gives the same candidates on slow and
    fast machines.
    """

    def __init__(self, most: int, allowance: Allowance) -> None:
        self.most = most
        self._allowance = allowance
        self.count = 0
        self._last: Optional[int] = None
        self._left = 0.0

    def add(self, tried: int) -> None:
        """Record a plausible candidate, found after `tried` trials."""
        self.count += 1
        if self._last is None:
            self._last = 2 * tried + MIN_FURTHER_TRIALS
            self._left = self._allowance.left - MAX_WAIT_SECONDS

    def left(self, tried: int) -> float:
        """Return how many trials may follow `tried` ones, as far as it is known."""
        return math.inf if self._last is None else max(0, self._last - tried)

    def is_enough(self, tried: int) -> bool:
        """True if the search should end after `tried` trials."""
        if self._last is None:
            return False
        return self.count >= self.most or tried >= self._last or self._allowance.left <= self._left


MIN_INTERVAL_SECONDS = 0.5
"""Minimum interval between two progress messages."""


class Reporter:
    """Sends messages to the daemon through `tell`, and counts candidates for the `stopping_rule`."""

    def __init__(self, tell: Callable[[Dict[str, Any]], None], stopping_rule: StoppingRule) -> None:
        self._tell = tell
        self.stopping_rule = stopping_rule
        self.first: Sequence[Edit] = ()
        self._last = -MIN_INTERVAL_SECONDS

    def progress(self, message: str) -> None:
        """Report progress, unless the last report was just now."""
        now = time.monotonic()
        if now - self._last >= MIN_INTERVAL_SECONDS:
            self._last = now
            self._tell({"kind": "progress", "message": message})

    def candidate(
        self,
        edits: Sequence[Edit],
        note: str,
        *,
        weight: float,
        tried: int,
        confidence: Optional[float] = None,
        asked: bool = False,
        suspicion: Optional[float] = None,
    ) -> None:
        """Report edits that passed the checks here, after `tried` trials.

        `weight` is their probability relative to others. `confidence` is the evidence of the examples for them, in bits
        per part; None for changes of existing code. `asked` is True if the failing checks ask for an edit of this kind.
        `suspicion` is that of the most suspicious line that is edited.
        """
        self.first = self.first or edits
        self.stopping_rule.add(tried)
        self._tell(
            {
                "kind": "candidate",
                "edits": [list(edit) for edit in edits],
                "note": note,
                "weight": weight,
                "confidence": confidence,
                "asked": asked,
                "suspicion": suspicion,
            }
        )

    def done(self, reason: str) -> None:
        """Report the ending of the search; nothing follows."""
        self._tell({"kind": "done", "reason": reason})


def counted(number: int, noun: str) -> str:
    """Return a number of things in words."""
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")
