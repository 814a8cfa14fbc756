"""Settings of costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from certo.costs.control_flow import CALLS, TOOL


@dataclass(frozen=True, slots=True, kw_only=True)
class CostOptions:
    """Weights of the costs that rank candidates; 0 leaves a cost out.

    `calls` adds calls for `control_flow`, and `plugins` names costs of plug-ins; both are lists of names, each with or
    without a weight: `"fetch=5"`, `"fetch"`.
    """

    size: float = 1.0
    complexity: float = 0.0
    runtime: float = 0.0
    lint: float = 0.0
    control_flow: float = 0.0
    calls: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, weight in {**self.weights, **self.brought}.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise ValueError(f"cost.{name} must be 0 or more, not {weight}")
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
