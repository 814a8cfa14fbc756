"""What models cost: a table of well-known ones, as their providers list them, and what a user sets instead."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply, Usage

_MILLION = 1_000_000

_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")
"""What a name has at its end when it says which edition of a model it means; the price is that of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Dollars for a million tokens: read, read again from the provider's cache, and written."""

    input: float
    cached: float
    output: float

    def of(self, usage: Usage) -> float:
        """What an answer cost, in dollars."""
        fresh = max(0, usage.input_tokens - usage.cached_tokens)
        dollars = fresh * self.input + usage.cached_tokens * self.cached + usage.output_tokens * self.output
        return dollars / _MILLION


FREE = Price(input=0.0, cached=0.0, output=0.0)
"""For models that run on the user's own machine, or are the user's to ask as often as they like."""


def listed_price(provider: str, model: str) -> Price | None:
    """The price a provider lists for a model; None where the table does not have it."""
    prices = _table()["models"].get(provider, {})
    found = prices.get(model) or prices.get(_DATED.sub("", model))
    return Price(**found) if found is not None else None


def listed_on() -> str:
    """When the table was last compared with what providers list, as year and month."""
    return str(_table()["listed"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("certo.llm.wrappers") / "prices.toml").read_text(encoding="utf-8"))


class Priced:
    """A ChatModel that puts the dollars on each answer, where the price and what the answer took are both known."""

    def __init__(self, model: ChatModel, price: Price | None) -> None:
        self._model = model
        self._price = price

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Ask, and price the answer; one that says itself what it cost is believed."""
        reply = await self._model.answer(prompt, heard=heard)
        if reply.dollars is not None or reply.usage is None or self._price is None:
            return reply
        return replace(reply, dollars=self._price.of(reply.usage))
