"""The composition root: from settings and a baseline to the parts of a search."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from certo.generation.builtin.agreement import Comparer
from certo.generation.builtin.near_misses import NearMissRepairer
from certo.generation.generator import Generator, GeneratorContext, GeneratorFactory, NoProjectContext, ProjectContext
from certo.llm.model import Models
from certo.llm.models import ModelChoice
from certo.plugins import Registry
from certo.sandbox.executor import Executor, Interpreter
from certo.sandbox.placement import EXECUTORS
from certo.search.engine import Parts
from certo.search.options import SearchOptions
from certo.search.scoring import GuardedEvaluator, as_evaluator
from certo.search.winner import Minimizer
from certo.sessions.assembly.costs import COSTS, check_costs, cost_model
from certo.sessions.assembly.criteria import check_criteria, gates, gauges, in_force
from certo.settings.schema import Settings
from certo.strategies.registry import STRATEGIES
from certo.strategies.retry import RetryOptions
from certo.verification.dynamic.evidence import EvidenceVerifier
from certo.verification.dynamic.forgery import ForgeryVerifier
from certo.verification.dynamic.harness_source import HarnessSource
from certo.verification.dynamic.suite_verifiers import DoctestsVerifier, TestsVerifier
from certo.verification.equivalence import EquivalenceVerifier
from certo.verification.plugged import as_verifiers
from certo.verification.speed import SpeedVerifier
from certo.verification.static.feedback import FeedbackVerifier
from certo.verification.static.policy import PolicyVerifier
from certo.verification.static.signature import SignatureVerifier
from certo.verification.static.syntax import SyntaxVerifier
from certo.verification.tools.formatting import formatted
from certo.verification.tools.runner import TOOLS
from certo.verification.tools.toolbox import Toolbox
from certo.verification.tools.verifiers import LintVerifier, TypesVerifier
from certo.verification.verdict_cache import (
    VerdictCache,
    cached,
    evidence_lasts,
    forgery_lasts,
    tests_last,
    tools_last,
)
from certo.verification.verifier import Pipeline, Verifier
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Goal, Problem

GENERATORS: Registry[GeneratorFactory] = Registry(
    kind="generator",
    builtin={
        "builtin": "certo.generation.builtin.generator:build",
        "model": "certo.generation.model.generator:build",
        "scripted": "certo.generation.scripted:build",
    },
)

_GROUPS = {"model": "generation"}
"""Where the options of a generator stand in the settings when it is not under its own name: `model` is what it asks."""

OWN_VERIFIERS = (
    "syntax",
    "signature",
    "policy",
    "feedback",
    "doctests",
    "tests",
    "types",
    "lint",
    "custom",
    "forgery",
    "evidence",
    "speed",
    "equivalence",
)
"""The names of the verifiers that may judge in any project."""

EVALUATORS: Registry[object] = Registry(kind="evaluator", builtin={})

VERIFIERS: Registry[object] = Registry(kind="verifier", builtin={})


def plugged(search: SearchOptions) -> tuple[str, ...]:
    """Return the strategy, generator and evaluator of a search that are not built in, by name."""
    chosen = ((STRATEGIES, search.strategy), (GENERATORS, search.generator), (EVALUATORS, search.evaluator))
    return tuple(name for registry, name in chosen if name and name not in registry.builtin)


PLUGINS: tuple[Registry[Any], ...] = (STRATEGIES, GENERATORS, VERIFIERS, EVALUATORS, COSTS, EXECUTORS)
"""Every kind of thing that others may bring."""


def assemble(
    settings: Settings,
    *,
    generator: Generator,
    problem: Problem,
    harnesses: HarnessSource,
    toolbox: Toolbox,
    models: Models,
    memory: VerdictCache | None = None,
    rejected: Mapping[str, str] | None = None,
    repairer: NearMissRepairer | None = None,
) -> Parts:
    """Put together what one search is made of; where there is a `memory`, its verifiers are asked nothing twice.

    Raises:
        BadSetting: the settings name a strategy that is not known, or give it options it cannot take.
    """
    return Parts(
        generator=generator,
        strategy=STRATEGIES.load(settings.search.strategy)(getattr(settings, settings.search.strategy, None)),
        pipeline=pipeline(
            settings,
            problem=problem,
            harnesses=harnesses,
            toolbox=toolbox,
            models=models,
            memory=memory,
            rejected=rejected,
        ),
        cost_model=cost_model(settings.cost, toolbox, judged=gauges(settings.criteria, models)),
        comparer=Comparer(executor=toolbox.executor, interpreter=toolbox.interpreter, seed=settings.search.seed),
        compaction=Minimizer(formatter=partial(formatted, toolbox=toolbox)) if settings.search.compact else None,
        stop_at_score=settings.search.stop_at_score,
        evaluating=evaluating_of(settings.search),
        seed=settings.search.seed,
        tries=_tries(settings),
        repairer=repairer,
    )


def _tries(settings: Settings) -> int:
    """Return the attempts of a lane in which a generator of others may fail; 0 for certo's own generators."""
    if settings.search.generator in GENERATORS.builtin:
        return 0
    options = getattr(settings, settings.search.strategy, None)
    return int(getattr(options, "max_iterations", RetryOptions().max_iterations))


def evaluating_of(options: SearchOptions) -> GuardedEvaluator | None:
    """Return the evaluator that scores the candidates of a search; None if the settings name none.

    Raises:
        BadSetting: the settings name something that is not known, or no evaluator.
    """
    if not options.evaluator:
        return None
    evaluator = as_evaluator(EVALUATORS.load(options.evaluator), options.evaluator)
    return GuardedEvaluator(evaluator, maximize=options.maximize, policy=options.evaluator_policy)


def pipeline(
    settings: Settings,
    *,
    problem: Problem,
    harnesses: HarnessSource,
    toolbox: Toolbox,
    models: Models,
    memory: VerdictCache | None = None,
    rejected: Mapping[str, str] | None = None,
    steady: bool = False,
) -> Pipeline:
    """Return the verifiers for a problem, cheap ones first.

    `steady`: the failing tests were rerun and failed again.

    A verifier that would have nothing to run is left out rather than let pass: what no test exercised is not verified.
    Those that run tests or start tools rule by the `memory` what they have ruled before. Those that only read are as
    quick, and whoever asks people or language models wants to hear them now.

    Raises:
        BadSetting: a criterion names a model that there is not, or two verifiers have one name.
    """
    verifiers = [*reading_verifiers(settings)]
    if problem.guidance.remarks or rejected:
        verifiers.append(FeedbackVerifier(rejected))
    kinds = {test.is_doctest for test in problem.baseline.tests}
    if True in kinds:
        verifiers.append(cached(DoctestsVerifier(harnesses), memory, tests_last))
    if False in kinds:
        verifiers.append(cached(TestsVerifier(harnesses, steady=steady), memory, tests_last))
    if problem.preserves:
        verifiers.append(EquivalenceVerifier(toolbox.executor, toolbox.interpreter))
    # These take no longer than tests: some 30 ms for mypy, which has read the base text already, and 110 ms for ruff,
    # which has to be started. But they let most candidates pass that tests refuse, and whoever tries again must hear
    # first that the code is wrong, and only then that it is not tidy.
    judged = {TOOLS[name].verifier for name in problem.baseline_run.tools}
    if "types" in judged:
        verifiers.append(cached(TypesVerifier(toolbox), memory, tools_last))
    # Where what a linter finds has a price, it is no reason to refuse a candidate.
    if "lint" in judged and not settings.cost.lint:
        verifiers.append(cached(LintVerifier(toolbox), memory, tools_last))
    if settings.verify.custom:
        verifiers.append(toolbox.custom())
    # Judges cost money, so they are asked about nothing that a test or a tool refuses.
    verifiers.extend(gates(settings.criteria, models))
    if kinds:
        verifiers.append(cached(ForgeryVerifier(harnesses), memory, forgery_lasts))
        # What these run is worth its time only where somebody is about to be told that it is verified.
        verifiers.append(cached(EvidenceVerifier(harnesses), memory, evidence_lasts))
    if problem.goal is Goal.FASTER:
        verifiers.append(SpeedVerifier(toolbox.executor, toolbox.interpreter))
    # They cost nothing but time, and what fails after a first pass is rare.
    return Pipeline(
        verifiers=tuple(verifiers), full=settings.search.full_report, early=frozenset({"forgery", "evidence"})
    )


def reading_verifiers(settings: Settings) -> tuple[Verifier, ...]:
    """Return the verifiers that only read the candidate, and those that plug-ins bring.

    Raises:
        BadSetting: a plug-in is not known or is no verifier, or its verifier has a name that is taken.
    """
    plugged = [one for name in settings.verify.plugins for one in as_verifiers(VERIFIERS.load(name), name)]
    _require_unique_names(plugged, criteria=in_force(settings.criteria))
    return SyntaxVerifier(), SignatureVerifier(), PolicyVerifier(settings.policy), *plugged


def _require_unique_names(plugged: Sequence[Verifier], criteria: Collection[str]) -> None:
    """Refuse a plug-in's verifier that has the name of another one: its verdicts could not be told from the other's.

    A plug-in names its verifiers itself, so this is only known once it is loaded.

    Raises:
        BadSetting: a name is used twice.
    """
    taken = {*OWN_VERIFIERS, *criteria}
    for verifier in plugged:
        if verifier.name in taken:
            rename = f"give criteria.{verifier.name} another name, or " if verifier.name in criteria else ""
            raise BadSetting(
                f"two verifiers are named {verifier.name!r}, and one of them comes from verify.plugins; "
                f"{rename}remove that plug-in from verify.plugins"
            )
        taken.add(verifier.name)


def check_names(settings: Settings) -> None:
    """Refuse a generator, strategy, evaluator, cost or verifier that does not exist before any work is done for it.

    Raises:
        BadSetting: the message lists the known names.
    """
    GENERATORS.load(settings.search.generator)
    STRATEGIES.load(settings.search.strategy)
    evaluating_of(settings.search)
    check_costs(settings.cost)
    for verifier in settings.verify.plugins:
        VERIFIERS.load(verifier)
    if settings.executor.plugin:
        EXECUTORS.load(settings.executor.plugin)
    taken = (*OWN_VERIFIERS, *settings.verify.plugins, *COSTS.builtin, *settings.cost.brought)
    choice = ModelChoice(default=settings.model, named=settings.models)
    if settings.memory.model is not None:
        choice.choose(settings.memory.model)
    check_criteria(settings.criteria, choice, taken=taken)


def repairer_of(
    settings: Settings, generator: Generator, executor: Executor, interpreter: Interpreter
) -> NearMissRepairer | None:
    """Return what repairs the near misses of a generator; None if it asks no language model, or the settings say so."""
    if generator.name != "model" or not settings.builtin.near_misses:
        return None
    return NearMissRepairer(executor, interpreter, settings.builtin, settings.search.seed, settings.search.seconds)


def generator_of(
    settings: Settings,
    executor: Executor,
    interpreter: Interpreter,
    models: Models,
    *,
    background: bool = False,
    recollection: ProjectContext | None = None,
) -> Generator:
    """Return the generator that the settings name, in its context.

    In the `background`, its models let those of others go first; where it has a `recollection`, it knows the project.

    Raises:
        BadSetting: it is not known, or cannot be had with these settings.
    """
    name = settings.search.generator
    context = GeneratorContext(
        executor=executor,
        interpreter=interpreter,
        options=getattr(settings, _GROUPS.get(name, name), None),
        seed=settings.search.seed,
        models=models,
        background=background,
        recollection=recollection or NoProjectContext(),
        seconds=settings.search.seconds,
    )
    return GENERATORS.load(name)(context)
