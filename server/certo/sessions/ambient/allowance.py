"""Processor time that work in the background may take: so much a minute, and what was not taken for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import field

from certo.vocabulary.records import dataclass

SAVED_MINUTES = 10.0
"""The minutes whose processor time can be saved up: then a repair need not wait for the next minutes."""


@dataclass(slots=True)
class ProcessorAllowance:
    """The balance of processor seconds; what takes more than there is leaves a debt, which is waited out."""

    clock: Callable[[], float] = time.monotonic
    _spent: float = 0.0
    _at: float | None = field(default=None)

    def spend(self, seconds: float) -> None:
        """Take note of processor time that was taken."""
        self._spent += seconds

    def seconds_to_wait(self, per_minute: float) -> float:
        """Return the seconds until work may begin; 0 if it may now. `per_minute` are the processor seconds allowed."""
        now = self.clock()
        if self._at is not None:
            self._spent = max(0.0, self._spent - (now - self._at) / 60 * per_minute)
        self._at = now
        owed = self._spent - SAVED_MINUTES * per_minute
        return 0.0 if owed < 0 else (owed / per_minute + _STEP) * 60


_STEP = 0.1
"""The part of a minute that is waited for at least, so that there is something to spend."""
