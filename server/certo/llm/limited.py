"""A model whose calls wait for their turn: so many at once and in a minute, the user's own before background work."""

from __future__ import annotations

from collections.abc import Callable

from certo.llm.estimate import tokens_of_prompt
from certo.llm.model import ChatModel, unheard
from certo.llm.pace import Pace
from certo.llm.prompt import Delta, Prompt, Reply
from certo.llm.retrying import LONGEST_WAIT
from certo.vocabulary.errors import ModelFailed

TOO_MANY = frozenset({429, 529})
"""The HTTP statuses that mean that a provider is asked too much: of one user, or of everybody."""


class Limited:
    """A ChatModel that keeps the pace of its provider, and tells the pace what the provider says of it."""

    def __init__(self, model: ChatModel, pace: Pace) -> None:
        self._model = model
        self._pace = pace

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = unheard) -> Reply:
        """Wait for a turn, then ask."""
        tokens = tokens_of_prompt(prompt) + prompt.sampling.max_tokens
        async with self._pace.turn(tokens=tokens, background=prompt.background) as began:
            try:
                reply = await self._model.answer(prompt, heard=heard)
            except ModelFailed as failed:
                if failed.status in TOO_MANY:
                    self._pace.lower(began)
                if failed.retry_after is not None and failed.retry_after <= LONGEST_WAIT:
                    self._pace.hold(failed.retry_after)
                raise
            self._pace.restore()
            return reply
