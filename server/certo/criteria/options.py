"""The options of one criterion of a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from certo.criteria.prompts import Field

MAX_SAMPLES = 100
"""Maximum number of samples per candidate in settings, since these may be foreign and samples cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionOptions:
    """One criterion in plain language: its expression, its model, and the effect of its result.

    A `gate` asks for votes, of which `min_pass` must be in favour. A `score` asks for numbers from `minimum` to
    `maximum` with higher as better, a `cost` with lower as better; `aggregation` combines them, and `weight` is their
    weight among the costs. `samples` is the number of questions to the model, `min_samples` the required number of
    usable answers. `sees` lists the texts of a candidate that are judged. An empty `model` is the default one. A
    criterion that is `off` is left out.
    """

    expression: str
    kind: Literal["gate", "score", "cost", "off"] = "gate"
    samples: int = 1
    min_samples: int = 1
    min_pass: int = 1
    aggregation: Literal["avg", "med", "min", "max"] = "avg"
    minimum: float = 0.0
    maximum: float = 10.0
    weight: float = 1.0
    sees: tuple[Field, ...] = ("code",)
    model: str = ""

    def __post_init__(self) -> None:
        if not self.expression.strip():
            raise ValueError("expression must say in words what is judged, and is empty")
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise ValueError(f"samples must be from 1 to {MAX_SAMPLES}, not {self.samples}")
        for name in ("min_samples", "min_pass"):
            if not 1 <= getattr(self, name) <= self.samples:
                raise ValueError(
                    f"{name} must be from 1 to samples, which is {self.samples}, not {getattr(self, name)}"
                )
        if not self.minimum < self.maximum:
            raise ValueError(f"minimum must be less than maximum, which is {self.maximum:g}, not {self.minimum:g}")
        if not self.sees:
            raise ValueError('sees must name at least one text of a candidate, such as "code"')
        if not self.weight > 0:
            raise ValueError(f"weight must be more than 0, not {self.weight:g}")
