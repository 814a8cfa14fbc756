"""The parts of a search that a caller gives from Python, in place of those that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from certo.api.adapters import as_cost, as_generator, as_verifiers, name_of
from certo.api.contextual_model import ContextualModel
from certo.api.model_context import Purposed, current_account, open_account
from certo.api.specification import Specification
from certo.api.strategy import Strategy
from certo.costs.model import CostModel
from certo.generation.generator import Generator, GeneratorContext
from certo.generation.model.generator import ModelGenerator
from certo.generation.model.options import GenerationOptions
from certo.llm.model import ChatModel
from certo.llm.wrappers.compaction import Compacted
from certo.search.engine import Parts
from certo.search.scoring import GuardedEvaluator, as_evaluator
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.live import LiveSearch
from certo.settings.layers import environment_layer, flags_layer
from certo.strategies.registry import STRATEGIES
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Verifier
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

_TRIES = frozenset(RetryOptions.__dataclass_fields__)
"""What a Strategy says of how to search, and not of what writes, judges and prices."""


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


def refuse_unused(
    settings: Mapping[str, Any], strategy: Strategy, model: ChatModel | None, *, follows_settings: bool
) -> None:
    """Refuse settings that would have no effect beside a strategy and a model.

    Raises:
        BadSetting: there are some; the message says of each what to do.
    """
    named = _named(settings)
    unused = list(_unused(named, strategy, model))
    if not follows_settings:
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
    """Return the values by the dotted names that settings have, however they were spelled."""
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
    if "search.evaluator" in named and strategy.evaluate is not None:
        yield f"search.evaluator = {named['search.evaluator']!r} is not used, for Strategy.evaluate scores; give one"
    if strategy.cost is not None:
        for name in named:
            if name.startswith("cost."):
                yield f"{name} is not used, for Strategy.cost prices; give one of them"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnParts:
    """The parts that a strategy puts in the place of the settings' parts; None leaves a part as it is.

    A model `may_look` things up if there is a project to look at, and not only the file of a specification.
    """

    generator: Generator | None
    model: ChatModel | None
    strategy: Retry | None
    verifiers: tuple[Verifier, ...]
    cost_model: CostModel | None
    evaluating: GuardedEvaluator | None
    may_look: bool

    def writer(self, live: LiveSearch, context: ExecutionContext) -> Generator | None:
        """Return what writes candidates in place of the settings' generator, which is then not even started."""
        if self.generator is None and self.model is not None:
            options = live.resolved.settings.generation
            options = options if self.may_look else replace(options, look_ups=0)
            return _writing(self.model, options, live.resolved.settings.search.seed, context)
        return self.generator

    def put_into(self, parts: Parts, live: LiveSearch) -> Parts:
        """Return the parts with these in their place; the verifiers that always judge go on judging, and first.

        This is called in the task of the search, and so what models are asked from now on the search pays for.
        """
        open_account(current_account().of_search(live.ledger))
        return replace(
            parts,
            strategy=self.strategy or parts.strategy,
            pipeline=replace(parts.pipeline, verifiers=(*parts.pipeline.verifiers, *self.verifiers)),
            cost_model=self.cost_model or parts.cost_model,
            cost_first=self.cost_model is not None,
            evaluating=self.evaluating or parts.evaluating,
        )


def own_parts(
    strategy: Strategy,
    model: ChatModel | None,
    *,
    settings: Mapping[str, Any],
    follows_settings: bool,
    wanted: Specification | None = None,
) -> OwnParts:
    """Return the parts that a strategy and a model stand for.

    If a search `follows_settings`, they name how to try; otherwise it is retried as the strategy says. `wanted` is what
    a function that writes is asked for.

    Raises:
        BadSetting: what the caller gave can write, judge, price or score nothing, or leaves a setting without use.
    """
    refuse_unused(settings, strategy, model, follows_settings=follows_settings)
    if model is not None:
        model = Purposed(model if isinstance(model, ContextualModel) else ContextualModel(model), "attempt")
        model = Compacted(model, strategy.compact) if strategy.compact is not None else model
    return OwnParts(
        generator=as_generator(strategy.generate, wanted, strategy.max_iterations),
        model=model,
        strategy=None if follows_settings else Retry(strategy.options),
        verifiers=as_verifiers(strategy.verify),
        cost_model=as_cost(strategy.cost),
        evaluating=_evaluating(strategy.evaluate),
        may_look=wanted is None,
    )


def _evaluating(given: Any) -> GuardedEvaluator | None:
    """Return the evaluator that a strategy's `evaluate` stands for, None without one.

    Raises:
        BadSetting: it is nothing that can score.
    """
    if given is None:
        return None
    return GuardedEvaluator(as_evaluator(given, name_of(given)), maximize=True, policy="record")


def _writing(model: ChatModel, options: GenerationOptions, seed: int, context: ExecutionContext) -> Generator:
    """Return the generator in which a model writes."""
    within = GeneratorContext(executor=context.executor, interpreter=context.interpreter, options=options, seed=seed)
    return ModelGenerator((model,), within, options)
