"""An answer while it is being written: what it would change so far, told a few times a second."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from certo.generation.generator import Draft
from certo.generation.model.extraction import extract
from certo.generation.model.grafting import sketch
from certo.generation.model.several import parted
from certo.llm.prompt import Delta
from certo.vocabulary.problem import Problem

PAUSE_SECONDS = 0.05
"""The least time between two drafts."""

SHARE = 0.05
"""What part of the time may go into drafts: in a long file they take longer and come less often."""

MOST_CHARACTERS = 10_000
"""A longer answer is not drafted any more: reading it over and over would hold up what else goes on."""


@dataclass(slots=True, kw_only=True)
class Drafting:
    """Follows one answer; `tell` hears of a draft when it differs from the last one, and some time has passed.

    What came too early for a draft is drafted by what is called next: `hear`, or `catch_up` after `patience` seconds.
    `now` is a clock in seconds.
    """

    problem: Problem
    model: str
    tell: Callable[[Draft], None]
    now: Callable[[], float] = time.monotonic
    _text: str = ""
    _undrafted: bool = False
    _next: float = 0.0
    _last: Draft | None = field(default=None)

    def hear(self, delta: Delta) -> None:
        """Take some more text; an answer that is started over replaces what there was."""
        self._text = self._text[: delta.at] + delta.text
        self._undrafted = len(self._text) <= MOST_CHARACTERS
        self.catch_up()

    @property
    def patience(self) -> float:
        """How long text that is not drafted yet has to wait, in seconds; for ever where there is none."""
        return max(0.0, self._next - self.now()) if self._undrafted else math.inf

    def catch_up(self) -> None:
        """Draft what has come, if enough time has passed."""
        began = self.now()
        if not self._undrafted or began < self._next:
            return
        self._undrafted = False
        extracted = extract(parted(self._text, self.problem).own, self.problem.target.name)
        edits = sketch(extracted, self.problem) if extracted is not None else ()
        draft = Draft(model=self.model, edits=edits)
        pause = 0.0
        if edits and draft != self._last:
            self._last, pause = draft, PAUSE_SECONDS
            self.tell(draft)
        ended = self.now()
        self._next = max(began + pause, ended + (ended - began) / SHARE)
