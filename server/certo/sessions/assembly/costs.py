"""The cost of a search's candidates, from the settings."""

from __future__ import annotations

from importlib.util import find_spec
from typing import cast

from certo.costs.control_flow import ControlFlow
from certo.costs.measures import NewLint
from certo.costs.model import CostModel, Weighted, WeightedPart
from certo.costs.options import CostOptions
from certo.costs.plugged import as_cost_model
from certo.plugins import Registry
from certo.sessions.assembly.remedies import own_remedy
from certo.verification.tools.toolbox import Toolbox
from certo.verification.tools.verifiers import new_findings
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding

COSTS: Registry[object] = Registry(
    kind="cost",
    builtin={
        "size": "certo.costs.measures:EditSize",
        "complexity": "certo.costs.complexity:CognitiveComplexity",
        "runtime": "certo.costs.measures:RunTime",
        "lint": "certo.costs.measures:NewLint",
        "control_flow": "certo.costs.control_flow:ControlFlow",
    },
)


def cost_model(options: CostOptions, toolbox: Toolbox, judged: tuple[WeightedPart, ...] = ()) -> CostModel:
    """Put together what candidates are ranked by: the one cost that counts by itself, or the sum of several.

    `judged` are the parts that a language model gives.

    Raises:
        BadSetting: a cost is not known, or needs what is not installed.
    """
    parts = (*_parts(options, toolbox), *judged)
    if len(parts) == 1 and parts[0].weight == 1:
        return parts[0].model
    return Weighted(parts)


def check_costs(options: CostOptions) -> None:
    """Refuse a cost that is not there before any work is done for it.

    Raises:
        BadSetting: the message says what to do.
    """
    if options.complexity and find_spec("complexipy") is None:
        raise BadSetting(
            f"cost.complexity = {options.complexity:g} needs complexipy, which is not installed beside certo; "
            f"install it: {own_remedy('tools')}, or set cost.complexity to 0"
        )
    for name in options.brought:
        if name in COSTS.builtin:
            raise BadSetting(f"cost.plugins names {name!r}, which is built in; set its weight as cost.{name}")
        COSTS.load(name)


def _parts(options: CostOptions, toolbox: Toolbox) -> tuple[WeightedPart, ...]:
    check_costs(options)

    async def lint(candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        return await new_findings("lint", candidate, problem, toolbox)

    made: dict[str, CostModel] = {"lint": NewLint(lint), "control_flow": ControlFlow(options.known_calls)}
    weights = {**options.weights, **options.brought}
    return tuple(
        WeightedPart(name=name, weight=weight, model=made.get(name) or _loaded(name))
        for name, weight in weights.items()
        if weight
    )


def _loaded(name: str) -> CostModel:
    """Return a cost that takes no options: a built-in one, or that of a plug-in."""
    if name in COSTS.builtin:
        return cast("type[CostModel]", COSTS.load(name))()
    return as_cost_model(COSTS.load(name), name)
