"""The criteria that the settings name, as the parts of a search: gates among the verifiers, numbers among the costs."""

from __future__ import annotations

from collections.abc import Mapping

from certo.criteria.configured import gate_of
from certo.criteria.options import CriterionOptions
from certo.llm.model import Models
from certo.verification.criteria import CriterionVerifier


def gates(
    criteria: Mapping[str, CriterionOptions], models: Models, *, background: bool = False
) -> tuple[CriterionVerifier, ...]:
    """The verifiers that judge by the criteria of kind `gate`, in the order of the settings.

    Raises:
        BadSetting: a criterion names a model that there is not.
    """
    return tuple(
        CriterionVerifier(gate_of(name, options, models.named(options.model), background=background), options.sees)
        for name, options in criteria.items()
        if options.kind == "gate"
    )
