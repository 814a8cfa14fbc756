"""An answer as it comes in: its text passed on at once, then gathered to a pace that readers can follow."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from certo.generation.generator import Piece
from certo.llm.prompt import Delta

PAUSE_SECONDS = 0.05
"""The least time between two pieces."""


@dataclass(slots=True, kw_only=True)
class Hearing:
    """Follows one answer; `tell` hears its first text at once, and later what has come since the last time.

    What came within the pause is told by what is called next: `hear`, `catch_up` after `patience` seconds, or `end`.
    `now` is a clock in seconds.
    """

    model: str
    tell: Callable[[Piece], None]
    now: Callable[[], float] = time.monotonic
    _at: int = 0
    _gathered: str = ""
    _next: float = 0.0

    def hear(self, delta: Delta) -> None:
        """Take some more text; an answer that is started over replaces what there was."""
        if delta.at >= self._at:
            self._gathered = self._gathered[: delta.at - self._at] + delta.text
        else:
            self._at, self._gathered = delta.at, delta.text
        self.catch_up()

    @property
    def patience(self) -> float:
        """How long what was gathered has to wait yet, in seconds; for ever where nothing was."""
        return max(0.0, self._next - self.now()) if self._gathered else math.inf

    def catch_up(self) -> None:
        """Tell what was gathered, if the pause is over."""
        if self.now() >= self._next:
            self.end()

    def end(self) -> None:
        """Tell what was gathered."""
        if self._gathered:
            self._next = self.now() + PAUSE_SECONDS
            self.tell(Piece(model=self.model, at=self._at, text=self._gathered))
            self._at, self._gathered = self._at + len(self._gathered), ""
