"""What a user may choose about experiments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """Which candidates are kept as versions of the project: none, those that passed, or every one that was judged."""

    keep: Literal["never", "passed", "all"] = "passed"
