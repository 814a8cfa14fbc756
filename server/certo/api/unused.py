"""Settings given from Python that something else given from Python leaves without use: refused, and not ignored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from certo.api.strategy import Strategy
from certo.llm.model import ChatModel
from certo.sessions.assembly import STRATEGIES
from certo.settings.layers import environment_layer, flags_layer
from certo.strategies.retry import RetryOptions
from certo.vocabulary.errors import BadSetting

_TRIES = frozenset(RetryOptions.__dataclass_fields__)
"""What a Strategy says of how to search, and not of what writes, judges and prices."""


def names_strategy(settings: Mapping[str, Any], strategy: Strategy, environ: Mapping[str, str]) -> bool:
    """True if the settings say which strategy a search is to follow, or the environment where the Strategy does not."""
    if "search.strategy" in _named(settings):
        return True
    return _TRIES.isdisjoint(strategy.model_fields_set) and _is_in("search.strategy", environ)


def sets_seconds(settings: Mapping[str, Any], strategy: Strategy, environ: Mapping[str, str]) -> bool:
    """True if the settings say how long a search may take, or the environment where the Strategy does not."""
    if "search.seconds" in _named(settings):
        return True
    return "seconds" not in strategy.model_fields_set and _is_in("search.seconds", environ)


def refuse_unused(
    settings: Mapping[str, Any], strategy: Strategy, model: ChatModel | None, environ: Mapping[str, str]
) -> None:
    """Refuse settings that would have no effect beside a strategy and a model.

    Raises:
        BadSetting: there are some; the message says of each what to do.
    """
    named = _named(settings)
    unused = list(_unused(named, strategy, model))
    if not names_strategy(settings, strategy, environ):
        unused += [
            f"{name} is not used unless search.strategy is set too; set it, or give a Strategy"
            for name in named
            if name.partition(".")[0] in STRATEGIES.builtin
        ]
    if unused:
        raise BadSetting("\n".join(unused))


def _is_in(name: str, environ: Mapping[str, str]) -> bool:
    return any(entry.name == name for entry in environment_layer(environ).entries)


def _named(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the dotted names that settings have, however they were spelled."""
    return {entry.name: entry.value for entry in flags_layer(settings).entries}


def _unused(named: Mapping[str, Any], strategy: Strategy, model: ChatModel | None) -> Iterator[str]:
    given = strategy.model_fields_set
    if "search.strategy" in named:
        for name in sorted(_TRIES & given):
            yield f"search.strategy = {named['search.strategy']!r} and Strategy.{name} contradict each other; give one"
    if "search.seconds" in named and "seconds" in given:
        yield f"search.seconds = {named['search.seconds']!r} and Strategy.seconds contradict each other; give one"
    if "search.generator" in named and (strategy.generate is not None or model is not None):
        writer = "Strategy.generate" if strategy.generate is not None else "llm"
        yield f"search.generator = {named['search.generator']!r} is not used, for {writer} writes; give one of them"
    if strategy.cost is not None:
        for name in named:
            if name.startswith("cost."):
                yield f"{name} is not used, for Strategy.cost prices; give one of them"
