"""Settings given from Python, beside a Strategy and a model: what they decide, and which of them would have no use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from certo.api.strategy import Strategy
from certo.llm.model import ChatModel
from certo.plugins import whole_place
from certo.sessions.assembly.parts import GENERATORS
from certo.settings.layers import environment_layer, flags_layer
from certo.settings.schema import Settings
from certo.strategies.registry import STRATEGIES
from certo.strategies.retry import RetryOptions

_TRIES = frozenset(RetryOptions.__dataclass_fields__)
"""What a Strategy says of how to search, and not of what writes, judges and prices."""

_OF_PLUGINS = frozenset(
    {"search.strategy", "search.generator", "search.evaluator", "verify.plugins", "cost.plugins", "executor.plugin"}
)

_OF_EVALUATORS = ("search.maximize", "search.evaluator_policy")

_OF_EDITORS = ("editor", "ambient", "strength", "tests.when_idle")


def names_strategy(settings: Mapping[str, Any], strategy: Strategy, environ: Mapping[str, str]) -> bool:
    """True if the settings say which strategy a search is to follow, or the environment where the Strategy does not."""
    if "search.strategy" in _named(settings):
        return True
    return not names_tries(strategy) and _is_in("search.strategy", environ)


def sets_seconds(settings: Mapping[str, Any], strategy: Strategy, environ: Mapping[str, str]) -> bool:
    """True if the settings say how long a search may take, or the environment where the Strategy does not."""
    if "search.seconds" in _named(settings):
        return True
    return "seconds" not in strategy.model_fields_set and _is_in("search.seconds", environ)


def names_tries(strategy: Strategy | None) -> bool:
    """True if a Strategy says how to search, and not only what writes, judges and prices."""
    return strategy is not None and not _TRIES.isdisjoint(strategy.model_fields_set)


def with_whole_places(settings: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return settings in which a file of a plug-in of the user's, such as "greedy.py:Greedy", has its whole path."""

    def completed(given: Any, name: str) -> Any:
        if isinstance(given, Mapping):
            return {key: completed(value, f"{name}.{key}" if name else str(key)) for key, value in given.items()}
        if name not in _OF_PLUGINS:
            return given
        if isinstance(given, list | tuple):
            return [whole_place(each, folder) if isinstance(each, str) else each for each in given]
        return whole_place(given, folder) if isinstance(given, str) else given

    return {key: completed(value, str(key)) for key, value in settings.items()}


def unused_settings(
    given: Mapping[str, Any],
    shared: Mapping[str, Any],
    in_force: Settings,
    strategy: Strategy,
    model: ChatModel | None,
    *,
    follows_settings: bool,
) -> tuple[str, ...]:
    """Return a sentence for each of the settings given that would have no effect; it says what to do.

    `given` are those of one search. Those that it has `shared` with others only must not contradict the strategy or the
    model: what this search does not use, another one may. `in_force` are all settings that hold; if a search
    `follows_settings`, they name its strategy, otherwise the Strategy does.
    """
    named = _named(given)
    return (
        *_contradicted({**_named(shared), **named}, strategy, model),
        *_of_other_strategies(named, in_force, follows_settings=follows_settings),
        *_of_other_generators(named, in_force, strategy, model),
        *_without_their_part(named, in_force, strategy),
    )


def _is_in(name: str, environ: Mapping[str, str]) -> bool:
    return any(entry.name == name for entry in environment_layer(environ).entries)


def _named(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values by the dotted names that settings have, however they were spelled."""
    return {entry.name: entry.value for entry in flags_layer(settings).entries}


def _contradicted(named: Mapping[str, Any], strategy: Strategy, model: ChatModel | None) -> Iterator[str]:
    given = strategy.model_fields_set
    if "search.strategy" in named:
        for name in sorted(_TRIES & given):
            yield f"search.strategy = {named['search.strategy']!r} and Strategy.{name} contradict each other; give one"
    if "search.seconds" in named and "seconds" in given:
        yield f"search.seconds = {named['search.seconds']!r} and Strategy.seconds contradict each other; give one"
    if "search.generator" in named and (strategy.generate is not None or model is not None):
        writer = "Strategy.generate" if strategy.generate is not None else "llm"
        yield f"search.generator = {named['search.generator']!r} is not used, for {writer} writes; give one of them"
    if "generation.models" in named and model is not None:
        yield f"generation.models = {named['generation.models']!r} is not used, for llm writes; give one of them"
    if "search.evaluator" in named and strategy.evaluate is not None:
        yield f"search.evaluator = {named['search.evaluator']!r} is not used, for Strategy.evaluate scores; give one"
    if strategy.cost is not None:
        for name in named:
            if name.startswith("cost."):
                yield f"{name} is not used, for Strategy.cost prices; give one of them"


def _of_other_strategies(named: Mapping[str, Any], in_force: Settings, *, follows_settings: bool) -> Iterator[str]:
    followed = in_force.search.strategy
    for name in named:
        group = name.partition(".")[0]
        if group not in STRATEGIES.builtin:
            continue
        if not follows_settings:
            yield f"{name} is not used unless search.strategy is set too; set it, or give a Strategy"
        elif group != followed:
            yield f"{name} is not used, for the strategy is {followed}; set search.strategy to {group}, or leave it out"


def _of_other_generators(
    named: Mapping[str, Any], in_force: Settings, strategy: Strategy, model: ChatModel | None
) -> Iterator[str]:
    writer = in_force.search.generator
    if strategy.generate is not None or model is not None:
        writer = "Strategy.generate" if strategy.generate is not None else "llm"
    # Whatever model writes, the built-in generator repairs its near misses.
    used = {writer, "model", *(["builtin"] if writer in ("llm", "model") else [])}
    for name in named:
        group = name.partition(".")[0]
        if group in GENERATORS.builtin and group not in used:
            yield f"{name} is not used, for {writer} writes; set search.generator to {group}, or leave it out"


def _without_their_part(named: Mapping[str, Any], in_force: Settings, strategy: Strategy) -> Iterator[str]:
    """Yield a sentence for each setting of an evaluator that there is not, or of editors."""
    for name in named:
        group = name.partition(".")[0]
        if name in _OF_EVALUATORS and strategy.evaluate is None and not in_force.search.evaluator:
            yield f"{name} is not used, for nothing scores; give Strategy.evaluate or search.evaluator, or leave it out"
        if group in _OF_EDITORS or name in _OF_EDITORS:
            yield f"{name} is not used, for it is about editors; leave it out"
