"""The options of one criterion of a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from certo.criteria.prompts import Field

MAX_SAMPLES = 100
"""How often settings may have one criterion asked about one candidate: they may be a stranger's, and cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionOptions:
    """One judgement in plain language: what is judged, by which model, and what follows from what it says.

    A `gate` asks for votes, of which `min_pass` have to be in favour. A `score` asks for numbers from `minimum` to
    `maximum`, of which more is better, a `cost` for such of which less is; `aggregation` makes one number of them, and
    `weight` says how much that counts among the costs. `samples` are how often the model is asked, `min_samples` how
    many of its answers must be of use. The judge `sees` these texts of a candidate. The empty `model` is the
    default one. One that is `off` is left out.
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
