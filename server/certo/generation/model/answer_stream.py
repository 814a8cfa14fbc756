"""An answer as it comes in: its text passed on at once, then gathered to a pace that readers can follow."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from certo.concurrency import side_by_side
from certo.generation.generator import Draft, TextChunk
from certo.generation.model.code_extraction import extract
from certo.generation.model.code_placement import sketch
from certo.generation.model.file_answers import parted
from certo.llm.model import ChatModel
from certo.llm.prompt import Delta, Prompt, Reply
from certo.vocabulary.errors import CertoError
from certo.vocabulary.problem import Problem

PAUSE_SECONDS = 0.05
"""The least time between two pieces."""


@dataclass(slots=True, kw_only=True)
class AnswerReader:
    """Follows one answer; `tell` hears its first text at once, and later what has come since the last time.

    What came within the pause is told by what is called next: `hear`, `catch_up` after `patience` seconds, or `end`.
    `now` is a clock in seconds.
    """

    model: str
    tell: Callable[[TextChunk], None]
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
        """Return the seconds until the collected text is due; infinity where there is none."""
        return max(0.0, self._next - self.now()) if self._gathered else math.inf

    def catch_up(self) -> None:
        """Tell what was gathered, if the pause is over."""
        if self.now() >= self._next:
            self.end()

    def end(self) -> None:
        """Tell what was gathered."""
        if self._gathered:
            self._next = self.now() + PAUSE_SECONDS
            self.tell(TextChunk(model=self.model, at=self._at, text=self._gathered))
            self._at, self._gathered = self._at + len(self._gathered), ""


DRAFT_PAUSE_SECONDS = 0.05
"""The least time between two drafts."""

SHARE = 0.05
"""What part of the time may go into drafts: in a long file they take longer and come less often."""

MAX_CHARACTERS = 10_000
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
        self._undrafted = len(self._text) <= MAX_CHARACTERS
        self.catch_up()

    @property
    def patience(self) -> float:
        """Return the seconds until the next draft is due; infinity where there is nothing to draft."""
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
            self._last, pause = draft, DRAFT_PAUSE_SECONDS
            self.tell(draft)
        ended = self.now()
        self._next = max(began + pause, ended + (ended - began) / SHARE)


async def followed(model: ChatModel, prompt: Prompt, *followers: AnswerReader | Drafting) -> Reply:
    """Have a model answer, with followers that hear the text as it comes, and catch up when no more comes.

    Raises:
        ModelFailed: it did not answer.
        BudgetExhausted: nothing is left to ask it with.
    """
    news = anyio.Event()

    def heard(delta: Delta) -> None:
        for each in followers:
            each.hear(delta)
        news.set()

    async def catch_up() -> None:
        nonlocal news
        while True:
            with anyio.move_on_after(min(each.patience for each in followers)):
                await news.wait()
            news = anyio.Event()
            for each in followers:
                each.catch_up()

    outcome: Reply | CertoError
    async with side_by_side() as group:
        group.start_soon(catch_up)
        try:
            outcome = await model.answer(prompt, heard=heard)
        except CertoError as error:
            # Kept out of the group, which would hand it on wrapped.
            outcome = error
        group.cancel_scope.cancel()
    if isinstance(outcome, CertoError):
        raise outcome
    return outcome
