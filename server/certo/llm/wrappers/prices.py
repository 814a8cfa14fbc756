"""Prices of models: a table of well-known ones as listed by their providers, and the user's own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from certo.llm.model import ChatModel, ignore_text
from certo.llm.prompt import Delta, Prompt, Reply, Usage
from certo.vocabulary.records import dataclass

_MILLION = 1_000_000

_STORING = 0.25
"""Share of the price of input that Anthropic adds for what it stores in its cache; others that store add nothing."""

_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")
"""Suffix of a model's name for one edition of it; the price is that of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Dollars per million tokens: input, cached input and output; storing input in a cache costs a share on top."""

    input: float
    cached: float
    output: float

    def of(self, usage: Usage) -> float:
        """Return the price of an answer in dollars."""
        fresh = max(0, usage.input_tokens - usage.cached_tokens)
        dollars = fresh * self.input + usage.cached_tokens * self.cached + usage.output_tokens * self.output
        dollars += usage.stored_tokens * self.input * _STORING
        return dollars / _MILLION


FREE = Price(input=0.0, cached=0.0, output=0.0)
"""Price of models that run on the user's own machine or are free of charge."""


def listed_price(provider: str, model: str) -> Price | None:
    """Return a provider's listed price for a model; None if the table lacks it."""
    prices = _table()["models"].get(provider, {})
    found = prices.get(model) or prices.get(_DATED.sub("", model))
    return Price(**found) if found is not None else None


def listed_on() -> str:
    """Return the year and month when the table was last compared with the providers' lists."""
    return str(_table()["listed"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("certo.llm.wrappers") / "prices.toml").read_text(encoding="utf-8"))


class Priced:
    """A ChatModel that adds the price in dollars to each answer if price and usage are known."""

    def __init__(self, model: ChatModel, price: Price | None) -> None:
        self._model = model
        self._price = price

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def answer(self, prompt: Prompt, /, *, heard: Callable[[Delta], None] = ignore_text) -> Reply:
        """Return the answer with its price; a price that the answer brings along is kept."""
        reply = await self._model.answer(prompt, heard=heard)
        if reply.dollars is not None or reply.usage is None or self._price is None:
            return reply
        return replace(reply, dollars=self._price.of(reply.usage))
