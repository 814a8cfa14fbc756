"""Having a candidate priced, whatever becomes of the cost model: a good candidate is not lost to a bad price list."""

from __future__ import annotations

import logging
import math

from certo.costs.model import CostModel
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import UNKNOWN, Cost
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report

log = logging.getLogger(__name__)


async def priced(model: CostModel, candidate: Candidate, report: Report, problem: Problem) -> Cost:
    """Return what a candidate costs; one that the model cannot price comes last, and its cost says why.

    Raises:
        BadRequest: the model cannot price anything as it is set up.
    """
    try:
        cost = await model.price(candidate, report, problem)
    except BadRequest:
        raise
    except Exception as error:
        log.warning("%s cannot price candidate %s", type(model).__name__, candidate.id, exc_info=True)
        return _unknown(f"{type(error).__name__}: {error}")
    if not math.isfinite(cost.value) or cost.value > UNKNOWN:
        return _unknown(f"{cost.value:g} is no cost: {cost.source}")
    return cost


def _unknown(reason: str) -> Cost:
    return Cost(value=UNKNOWN, unit="", source=f"not priced: {reason}")
