"""A model that says what its answers cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from certo.llm.model import ChatModel, unheard
from certo.llm.prices import Price
from certo.llm.prompt import Delta, Prompt, Reply


class Priced:
    """A ChatModel that puts the dollars on each answer, where the price and what the answer took are both known."""

    def __init__(self, model: ChatModel, price: Price | None) -> None:
        self._model = model
        self._price = price

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = unheard) -> Reply:
        """Ask, and price the answer; one that says itself what it cost is believed."""
        reply = await self._model.answer(prompt, heard=heard)
        if reply.dollars is not None or reply.usage is None or self._price is None:
            return reply
        return replace(reply, dollars=self._price.of(reply.usage))
