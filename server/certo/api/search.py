"""A search for the code of a specification: the same engine, verifiers and sandbox as in an editor."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certo.api.adapters import as_cost, as_generator, as_verifiers, checked_calls
from certo.api.execution import Code
from certo.api.generated import Generated, Passed, Tried
from certo.api.loop_template import TemplateGenerator, wants_template
from certo.api.model_context import ContextualModel, Purposed, current_account, open_account
from certo.api.scaffold import PATH, scaffold, tools_text
from certo.api.specification import Specification
from certo.api.strategy import Strategy
from certo.concurrency import side_by_side
from certo.costs.model import CostModel
from certo.edits.patch import apply_edits
from certo.edits.target import ByName
from certo.generation.generator import Generator, GeneratorContext
from certo.generation.model.generator import ModelGenerator
from certo.llm.model import ChatModel
from certo.llm.wrappers.compaction import Compacted
from certo.search.board import CandidateState
from certo.search.engine import Parts
from certo.sessions.assembly.problem_statement import ExecutionContext
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch, Stated
from certo.sessions.searches import Searches
from certo.settings.layers import environment_layer, flags_layer
from certo.settings.schema import Settings
from certo.strategies.registry import STRATEGIES
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Verifier
from certo.vocabulary.errors import AttemptsFailed, BadRequest, BadSetting, BrokenWorld
from certo.vocabulary.events import Event, SearchStopped
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Problem

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
    if strategy.cost is not None:
        for name in named:
            if name.startswith("cost."):
                yield f"{name} is not used, for Strategy.cost prices; give one of them"


Listener = Callable[[LiveSearch, Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequest:
    """One search to be made: what is wanted, how to come to it, the model to write it, and the settings."""

    wanted: Specification
    strategy: Strategy
    model: ChatModel | None
    settings: Mapping[str, Any]
    environ: Mapping[str, str]


async def search_for(wish: ApiRequest, listener: Listener) -> Generated:
    """Search for code that passes, in a project made for that.

    Raises:
        AttemptsFailed: no candidate passed; it has every one that was tried.
        BadRequest: a setting, or something that was given to judge or to write, is not as it should be.
        BrokenWorld: nothing can be run here, or the model did not answer.
    """
    files, own = scaffold(wish.wanted), _own_parts(wish)
    with _project(files) as root:
        request = Request(
            document=root / PATH,
            text=files[PATH],
            place=ByName(wish.wanted.name),
            flags=_flags(wish),
            is_untested=not wish.wanted.tests.strip(),
        )
        async with side_by_side() as group:
            searches = Searches(group, environ=wish.environ, refit=own.put_into, own_generator=own.writer)
            searches.subscribe(listener)
            live = searches.start(request)
            await live.run.stopped.wait()
            group.cancel_scope.cancel()
    return _concluded(wish.wanted, live)


@contextmanager
def _project(files: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files in a directory of their own, by the name that processes see it under."""
    with tempfile.TemporaryDirectory(prefix="certo-wanted-") as folder:
        root = Path(folder).resolve()
        for path, text in files.items():
            (root / path).write_text(text, encoding="utf-8")
        yield root


def _flags(wish: ApiRequest) -> dict[str, Any]:
    """Return the settings of the search: the caller's, and what the strategy decides."""
    if sets_seconds(wish.settings, wish.strategy, wish.environ):
        return dict(wish.settings)
    return {**wish.settings, "search.seconds": wish.strategy.seconds}


@dataclass(frozen=True, slots=True, kw_only=True)
class _OwnParts:
    """The parts that a strategy puts in the place of the settings' parts; None leaves a part as it is."""

    generator: Generator | None
    model: ChatModel | None
    strategy: Retry | None
    verifiers: tuple[Verifier, ...]
    cost_model: CostModel | None

    def writer(self, live: LiveSearch, context: ExecutionContext) -> Generator | None:
        """Return what writes candidates in place of the settings' generator, which is then not even started."""
        if self.generator is None and self.model is not None:
            return _writing(self.model, live.resolved.settings, context)
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
        )


def _own_parts(wish: ApiRequest) -> _OwnParts:
    """Return the parts that the strategy names.

    Raises:
        BadSetting: what the caller gave can write, judge or price nothing, or leaves a setting without use.
    """
    strategy = wish.strategy
    refuse_unused(wish.settings, strategy, wish.model, wish.environ)
    verifiers = (*checked_calls(wish.wanted), *as_verifiers(strategy.verify))
    generator = as_generator(strategy.generate, wish.wanted, strategy.max_iterations)
    if generator is None and wants_template(verifiers):
        generator = TemplateGenerator(wish.wanted)
    model = wish.model
    if model is not None:
        model = Purposed(model if isinstance(model, ContextualModel) else ContextualModel(model), "attempt")
        model = Compacted(model, strategy.compact) if strategy.compact is not None else model
    return _OwnParts(
        generator=generator,
        model=model,
        strategy=None if names_strategy(wish.settings, strategy, wish.environ) else Retry(strategy.options),
        verifiers=verifiers,
        cost_model=as_cost(strategy.cost),
    )


def _writing(model: ChatModel, settings: Settings, context: ExecutionContext) -> Generator:
    """Return the generator in which a model writes, with the options that the settings have for it."""
    within = GeneratorContext(
        executor=context.executor,
        interpreter=context.interpreter,
        options=settings.generation,
        seed=settings.search.seed,
    )
    return ModelGenerator((model,), within, settings.generation)


def _concluded(wanted: Specification, live: LiveSearch) -> Generated:
    """Return the result of a search that has stopped."""
    board, phase = live.state, live.phase
    stopped = board.stopped
    if stopped is None:
        raise RuntimeError("a search ended without saying how it stopped")
    if stopped.outcome is Outcome.REFUSED:
        raise BadRequest(stopped.reason)
    if stopped.outcome is Outcome.WORLD_BROKEN:
        raise BrokenWorld(stopped.reason)
    if stopped.outcome is Outcome.BROKEN:
        raise RuntimeError(f"{stopped.outcome.value} {stopped.reason}")
    tried = tuple(_tried(row) for row in board.rows.values())
    ranked = board.ranked()
    if not ranked or not isinstance(phase, Stated):
        raise AttemptsFailed(_why(wanted, stopped, tried), attempts=tried, spent=stopped.spent)
    return Generated(
        name=wanted.name,
        outcome=stopped.outcome,
        passed=tuple(_passed(row, phase.problem, wanted) for row in ranked),
        tried=tried,
        spent=stopped.spent,
    )


def _why(wanted: Specification, stopped: SearchStopped, tried: tuple[Tried, ...]) -> str:
    last = f" The last of {len(tried)} candidates failed: {tried[-1].error}." if tried else ""
    reason = f" {stopped.reason}" if stopped.reason else ""
    return f"{wanted.name} was not written: {stopped.outcome.value}{reason}{last}"


def _tried(row: CandidateState) -> Tried:
    return Tried(
        candidate_id=row.candidate_id,
        diff=row.diff,
        report=row.report,
        slot=row.origin.slot,
        attempt=row.origin.attempt,
        cost=row.cost,
    )


def _passed(row: CandidateState, problem: Problem, wanted: Specification) -> Passed:
    text = apply_edits(problem.text, row.edits)
    span, grown = problem.target.span, len(text) - len(problem.text)
    if row.cost is None:
        raise ValueError(f"candidate {row.candidate_id} passed and has no cost")
    return Passed(
        candidate_id=row.candidate_id,
        code=Code(text=text, function=wanted.name, tools=tools_text(wanted) if wanted.tools else ""),
        source=text[span.start : span.end + grown],
        report=row.report,
        verified=row.verified,
        cost=row.cost,
        standing=row.standing,
    )
