"""Criteria as the settings have them."""

from __future__ import annotations

from certo.criteria.options import CriterionOptions
from certo.criteria.qualitative import QualitativeCriteria
from certo.criteria.quantitative import QuantitativeCriteria
from certo.llm.model import ChatModel


def gate_of(name: str, options: CriterionOptions, model: ChatModel) -> QualitativeCriteria:
    """The criterion that these options of kind `gate` describe."""
    return QualitativeCriteria(
        options.expression,
        model,
        num_samples=options.samples,
        min_samples_for_aggregation=options.min_samples,
        min_pass=options.min_pass,
        name=name,
    )


def gauge_of(name: str, options: CriterionOptions, model: ChatModel) -> QuantitativeCriteria:
    """The criterion that these options of kind `score` or `cost` describe."""
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
