"""The criteria that the settings name, as the parts of a search: gates among the verifiers, numbers among the costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from certo.costs.criteria import CriterionCost
from certo.costs.model import WeightedPart
from certo.criteria.options import CriterionOptions
from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.llm.model import ChatModel, Models
from certo.llm.models import ModelChoice
from certo.verification.criteria import CriterionVerifier
from certo.vocabulary.errors import BadSetting


def gate_of(name: str, options: CriterionOptions, model: ChatModel) -> QualitativeCriteria:
    """Return the criterion that these options of kind `gate` describe."""
    return QualitativeCriteria(
        options.expression,
        model,
        num_samples=options.samples,
        min_samples_for_aggregation=options.min_samples,
        min_pass=options.min_pass,
        name=name,
    )


def gauge_of(name: str, options: CriterionOptions, model: ChatModel) -> QuantitativeCriteria:
    """Return the criterion that these options of kind `score` or `cost` describe."""
    return QuantitativeCriteria(
        options.expression,
        model,
        min=options.minimum,
        max=options.maximum,
        agg=options.aggregation,
        num_samples=options.samples,
        min_samples_for_aggregation=options.min_samples,
        higher_is_better=options.kind == "score",
        name=name,
    )


def check_criteria(criteria: Mapping[str, CriterionOptions], choice: ModelChoice, *, taken: Collection[str]) -> None:
    """Refuse criteria that cannot be asked before any work is done for them.

    One is refused that has the name of another verifier or cost, for then their verdicts could not be told apart.

    Raises:
        BadSetting: one has a name that is taken, or a model that there is not; the message says which.
    """
    for name in criteria:
        if name in taken:
            raise BadSetting(f"criteria.{name}: certo has something of this name already; give the criterion another")
    for name, options in in_force(criteria).items():
        try:
            choice.choose(options.model)
        except BadSetting as error:
            raise BadSetting(f'criteria.{name}: {error}; or leave it out: criteria.{name}.kind = "off"') from error


def in_force(criteria: Mapping[str, CriterionOptions]) -> Mapping[str, CriterionOptions]:
    """Return the criteria that are asked."""
    return {name: options for name, options in criteria.items() if options.kind != "off"}


def gates(criteria: Mapping[str, CriterionOptions], models: Models) -> tuple[CriterionVerifier, ...]:
    """Return the verifiers that judge by the criteria of kind `gate`, in the order of the settings.

    Raises:
        BadSetting: a criterion names a model that there is not.
    """
    return tuple(
        CriterionVerifier(gate_of(name, options, models.named(options.model)), options.sees)
        for name, options in criteria.items()
        if options.kind == "gate"
    )


def gauges(criteria: Mapping[str, CriterionOptions], models: Models) -> tuple[WeightedPart, ...]:
    """Return the costs by the criteria of kind `score` and `cost`, with their weights, in the order of the settings.

    Raises:
        BadSetting: a criterion names a model that there is not.
    """
    return tuple(
        WeightedPart(
            name=name,
            weight=options.weight,
            model=CriterionCost(gauge_of(name, options, models.named(options.model)), options.sees),
        )
        for name, options in criteria.items()
        if options.kind in ("score", "cost")
    )
