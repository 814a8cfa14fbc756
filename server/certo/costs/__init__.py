"""Costs of candidates: the cheapest of equals wins; and names that a cost of a plug-in is written with."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certo.costs.model import CostModel as CostModel
    from certo.plugins import register as register
    from certo.vocabulary.candidate import Candidate as Candidate
    from certo.vocabulary.cost import Cost as Cost
    from certo.vocabulary.problem import Problem as Problem
    from certo.vocabulary.verdict import Report as Report

_OFFERED = {
    "Candidate": "certo.vocabulary.candidate",
    "Cost": "certo.vocabulary.cost",
    "CostModel": "certo.costs.model",
    "Problem": "certo.vocabulary.problem",
    "Report": "certo.vocabulary.verdict",
    "register": "certo.plugins",
}
"""Names for authors of plug-ins, each with its module, which is imported on first use: this package is needed early."""


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_OFFERED[name]), name)
