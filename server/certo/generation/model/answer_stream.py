"""Streamed answers: the first text is passed on at once, the rest at readable intervals."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import field

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
from certo.vocabulary.records import dataclass

PAUSE_SECONDS = 0.05
"""Minimum time between two chunks."""


@dataclass(slots=True, kw_only=True)
class AnswerReader:
    """Follows one answer; `tell` gets its first text at once, and later the text since the last time.

    Text within the pause is sent by the next call of `hear`, of `catch_up` after `patience` seconds, or of `end`.
    `now` is a clock in seconds.
    """

    model: str
    tell: Callable[[TextChunk], None]
    now: Callable[[], float] = time.monotonic
    _at: int = 0
    _pending: str = ""
    _next: float = 0.0

    def hear(self, delta: Delta) -> None:
        """Add some more text; an answer that is started over replaces the old one."""
        if delta.at >= self._at:
            self._pending = self._pending[: delta.at - self._at] + delta.text
        else:
            self._at, self._pending = delta.at, delta.text
        self.catch_up()

    @property
    def patience(self) -> float:
        """The seconds until the collected text is due; infinity if there is none."""
        return max(0.0, self._next - self.now()) if self._pending else math.inf

    def catch_up(self) -> None:
        """Send the collected text, if the pause is over."""
        if self.now() >= self._next:
            self.end()

    def end(self) -> None:
        """Send the collected text."""
        if self._pending:
            self._next = self.now() + PAUSE_SECONDS
            self.tell(TextChunk(model=self.model, at=self._at, text=self._pending))
            self._at, self._pending = self._at + len(self._pending), ""


DRAFT_PAUSE_SECONDS = 0.05
"""Minimum time between two drafts."""

SHARE = 0.05
"""Maximum share of time for drafts: in a long file they take longer and come less often."""

MAX_CHARACTERS = 10_000
"""Maximum length of a drafted answer: parsing longer ones repeatedly would delay other work."""


@dataclass(slots=True, kw_only=True)
class DraftReader:
    """Follows one answer; `tell` gets a draft when it differs from the last one, and some time has passed.

    Text that came too early is drafted by the next call of `hear`, or of `catch_up` after `patience` seconds.
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
        """Add some more text; an answer that is started over replaces the old one."""
        self._text = self._text[: delta.at] + delta.text
        self._undrafted = len(self._text) <= MAX_CHARACTERS
        self.catch_up()

    @property
    def patience(self) -> float:
        """The seconds until the next draft is due; infinity if there is nothing to draft."""
        return max(0.0, self._next - self.now()) if self._undrafted else math.inf

    def catch_up(self) -> None:
        """Draft the text so far, if enough time has passed."""
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


async def followed(model: ChatModel, prompt: Prompt, *followers: AnswerReader | DraftReader) -> Reply:
    """Return a model's answer, with followers that receive the text as it arrives and catch up in pauses.

    Raises:
        ModelFailed: The model did not answer.
        BudgetExhausted: The budget allows no more calls.
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
            # Kept out of the task group, which would wrap it in an exception group.
            outcome = error
        group.cancel_scope.cancel()
    if isinstance(outcome, CertoError):
        raise outcome
    return outcome
