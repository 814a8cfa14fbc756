"""Settings of costs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from certo.costs.control_flow import CALLS, TOOL
from certo.plugins import PROGRAM_RESERVED, names_installed_code
from certo.vocabulary.options import check_bounds, option
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CostOptions:
    """Weights of the costs that rank candidates; 0 leaves a cost out.

    `calls` and `plugins` are lists of names, each alone or with a weight: `"fetch"`, `"fetch=5"`.
    """

    size: float = option(
        1.0, "Weight of each token added or removed. A candidate's cost is the weighted sum of this group.", at_least=0
    )
    complexity: float = option(
        0.0, "Weight of the target's cognitive complexity (the extra `certo[tools]`).", at_least=0
    )
    runtime: float = option(0.0, "Weight of each second that its tests took.", at_least=0)
    lint: float = option(
        0.0,
        "Weight of each new finding of the linter. Above 0, a finding adds to the cost instead of refusing the "
        "candidate.",
        at_least=0,
    )
    control_flow: float = option(
        0.0,
        "Weight of the calls on the most expensive path through the target: `llm` counts 10, `search` 5, `read` and "
        "`write` 1, and each ten times that in a loop.",
        at_least=0,
    )
    calls: tuple[str, ...] = option(
        (), 'Weights of other calls for `cost.control_flow`: `"fetch=5"`, or `"fetch"` for 1.'
    )
    plugins: tuple[str, ...] = option(
        (),
        "Costs from installed packages (entry points `certo.costs`) or as `module:attribute`, each with its weight: "
        '`"name=2.5"`. A project\'s file may only give names.',
        reserved=PROGRAM_RESERVED,
        project_may=names_installed_code,
    )

    def __post_init__(self) -> None:
        check_bounds(self, "cost")
        for name, weight in {**self.weights, **self.brought}.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise ValueError(f"cost.{name} must be a finite number, at least 0, not {weight}")
        if not any({**self.weights, **self.brought}.values()):
            raise ValueError("one of the weights in cost must be more than 0, or no candidate is better than another")
        _weighted("cost.calls", self.calls, TOOL)

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of each built-in cost by name."""
        names = ("size", "complexity", "runtime", "lint", "control_flow")
        return {name: getattr(self, name) for name in names}

    @property
    def brought(self) -> Mapping[str, float]:
        """The weight of each plug-in cost by name."""
        return _weighted("cost.plugins", self.plugins, 1.0)

    @property
    def known_calls(self) -> Mapping[str, float]:
        """The weight of each known call by name."""
        return {**CALLS, **_weighted("cost.calls", self.calls, TOOL)}


def _weighted(setting: str, entries: tuple[str, ...], usual: float) -> dict[str, float]:
    found = {}
    for entry in entries:
        name, is_given, weight = (part.strip() for part in entry.partition("="))
        try:
            found[name] = float(weight) if is_given else usual
        except ValueError:
            raise ValueError(f'{setting}: {entry!r} is no name with a weight; write "{name}=2.5"') from None
    return found
