"""The parts of a search that a caller gives from Python, in place of those that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certo.api.adapters import as_cost, as_generator, as_verifiers, name_of
from certo.api.contextual_model import ContextualModel
from certo.api.given_settings import unused_settings
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
from certo.settings.schema import Settings
from certo.strategies.retry import Retry
from certo.verification.verifier import Verifier
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass


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
    tries: int

    def writer(self, live: LiveSearch, context: ExecutionContext) -> Generator | None:
        """Return what writes candidates in place of the settings' generator, which is then not even started."""
        if self.generator is None and self.model is not None:
            options = live.resolved.settings.generation
            if not self.may_look:
                options = replace(options, look_ups=0, related_tokens=0)
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
            tries=self.tries if self.generator is not None else 0 if self.model is not None else parts.tries,
        )


def own_parts(
    strategy: Strategy,
    model: ChatModel | None,
    *,
    given: Mapping[str, Any],
    shared: Mapping[str, Any],
    in_force: Settings,
    follows_settings: bool,
    wanted: Specification | None = None,
) -> OwnParts:
    """Return the parts that a strategy and a model stand for.

    Of the settings `in_force`, the caller has `given` some for this search, and `shared` some among several. If a
    search `follows_settings`, they name how to try; otherwise it is retried as the strategy says. `wanted` is what a
    function that writes is asked for.

    Raises:
        BadSetting: what the caller gave can write, judge, price or score nothing, or leaves a setting without use.
    """
    unused = unused_settings(given, shared, in_force, strategy, model, follows_settings=follows_settings)
    if unused:
        raise BadSetting("\n".join(unused))
    if model is not None:
        model = Purposed(model if isinstance(model, ContextualModel) else ContextualModel(model), "attempt")
        model = Compacted(model, strategy.compact) if strategy.compact is not None else model
    return OwnParts(
        generator=as_generator(strategy.generate, wanted, strategy.max_iterations),
        model=model,
        strategy=None if follows_settings else Retry(strategy.options),
        verifiers=as_verifiers(strategy.verify),
        cost_model=as_cost(strategy.cost),
        evaluating=_evaluating(strategy.evaluate, in_force),
        may_look=wanted is None,
        tries=strategy.max_iterations,
    )


def _evaluating(given: Any, in_force: Settings) -> GuardedEvaluator | None:
    """Return the evaluator that a strategy's `evaluate` stands for, None without one.

    Raises:
        BadSetting: it is nothing that can score.
    """
    if given is None:
        return None
    options = in_force.search
    evaluator = as_evaluator(given, name_of(given))
    return GuardedEvaluator(evaluator, maximize=options.maximize, policy=options.evaluator_policy)


def _writing(model: ChatModel, options: GenerationOptions, seed: int, context: ExecutionContext) -> Generator:
    """Return the generator in which a model writes."""
    within = GeneratorContext(executor=context.executor, interpreter=context.interpreter, options=options, seed=seed)
    return ModelGenerator((model,), within, options)
