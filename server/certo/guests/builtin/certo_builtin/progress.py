"""The messages of this program while it searches: progress now and then, candidates at once, and how it ended."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Optional, Sequence

from certo_builtin.execution.allowance import Allowance
from certo_builtin.source import Edit

MIN_FURTHER_TRIALS = 256
"""Trials after the first plausible candidate, besides as many as it took: others are near it or far away."""

MAX_WAIT_SECONDS = 8.0
"""The seconds that the first plausible candidate waits for others, at most: a backstop for slow trials."""


class StoppingRule:
    """The end of a search: `most` plausible candidates, or enough trials after the first.

    Candidates that pass the same tests may be right or wrong, and agreement among them decides which is shown first. So
    a search does not end with its first one. It is measured in trials, so that it ends with the same candidates on a
    slow machine and on a fast one.
    """

    def __init__(self, most: int, allowance: Allowance) -> None:
        self.most = most
        self._allowance = allowance
        self.count = 0
        self._last: Optional[int] = None
        self._left = 0.0

    def add(self, tried: int) -> None:
        """Count a plausible candidate, found after so many trials."""
        self.count += 1
        if self._last is None:
            self._last = 2 * tried + MIN_FURTHER_TRIALS
            self._left = self._allowance.left - MAX_WAIT_SECONDS

    def is_enough(self, tried: int) -> bool:
        """True if the search should end after so many trials."""
        if self._last is None:
            return False
        return self.count >= self.most or tried >= self._last or self._allowance.left <= self._left


MIN_INTERVAL_SECONDS = 0.5
"""Seconds between two progress messages, at least."""


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
        self, edits: Sequence[Edit], note: str, *, weight: float, tried: int, confidence: Optional[float] = None
    ) -> None:
        """Report edits that passed the checks here, after so many trials.

        `weight` is their probability relative to others. `confidence` is the evidence of the examples for them, in bits
        for each of their parts; None where they change existing code.
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
            }
        )

    def done(self, reason: str) -> None:
        """Report how the search ended; nothing follows."""
        self._tell({"kind": "done", "reason": reason})


def counted(number: int, noun: str) -> str:
    """Return a number of things in words."""
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")
