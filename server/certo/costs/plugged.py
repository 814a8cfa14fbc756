"""Costs from plug-ins: functions or classes, sync or async, adapted to the contract."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import cast

from certo.costs.model import CostModel
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.cost import Cost
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Report


def as_cost_model(brought: object, name: str) -> CostModel:
    """Return the cost model for a plug-in: a class or an object with `price`, or a function.

    `price` is that of the contract. A function takes the target's code as a string. Both return a Cost or a plain
    number, directly or as an awaitable.

    Raises:
        BadSetting: It is none of these.
    """
    made = brought() if inspect.isclass(brought) else brought
    price = getattr(made, "price", None)
    if callable(price):
        return _PluggedCost(price, name)
    if not callable(made):
        raise BadSetting(f"the cost {name!r} is a {type(made).__name__}; it must be a function, or have price()")
    function = made
    return _PluggedCost(lambda candidate, _report, problem: function(_code_of(candidate, problem)), name)


def _code_of(candidate: Candidate, problem: Problem) -> str:
    span, grown = problem.target.span, len(candidate.text) - len(problem.text)
    return candidate.text[span.start : span.end + grown]


class _PluggedCost:
    """Cost model of a plug-in's function."""

    def __init__(self, function: Callable[..., object], name: str) -> None:
        self._function = function
        self._name = name

    async def price(self, candidate: Candidate, report: Report, problem: Problem, /) -> Cost:
        """Return the function's result as a cost.

        Raises:
            TypeError: It returned no number.
        """
        answer = self._function(candidate, report, problem)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, Cost):
            return answer
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            raise TypeError(f"the cost {self._name!r} returned {answer!r}; it must return a number or a Cost")
        return Cost(value=float(cast("float", answer)), unit="points", source=f"points by {self._name}")
