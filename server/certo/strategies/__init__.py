"""Strategies, which decide what to try next: one per file; and names that one of a plug-in is written with."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certo.generation.generator import Ask as Ask
    from certo.generation.generator import Attempt as Attempt
    from certo.plugins import register as register
    from certo.search.experiment import Experiment as Experiment
    from certo.search.experiment import SearchNode as SearchNode
    from certo.search.experiment import tried_above as tried_above
    from certo.search.strategy import Bench as Bench
    from certo.search.strategy import Strategy as Strategy

_OFFERED = {
    "Ask": "certo.generation.generator",
    "Attempt": "certo.generation.generator",
    "Bench": "certo.search.strategy",
    "Experiment": "certo.search.experiment",
    "SearchNode": "certo.search.experiment",
    "Strategy": "certo.search.strategy",
    "register": "certo.plugins",
    "tried_above": "certo.search.experiment",
}
"""Names for authors of plug-ins, each with its module, which is imported on first use: this package is needed early."""


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_OFFERED[name]), name)
