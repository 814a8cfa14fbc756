"""The options of one criterion of a project."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from certo.criteria.prompts import Field
from certo.llm.options import SCRIPT_RESERVED, is_no_script
from certo.vocabulary.options import OptionInfo, check_bounds, described, option
from certo.vocabulary.records import dataclass

MAX_SAMPLES = 100
"""Maximum number of samples per candidate in settings, since these may be foreign and samples cost money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionOptions:
    """One judgement in plain language: its words, its model, and the consequence of its answers."""

    expression: str = field(
        metadata=described(
            OptionInfo(
                description="A criterion of your own, under a name of your own: what you require, in plain words."
            )
        )
    )
    kind: Literal["gate", "score", "cost", "off"] = option(
        "gate",
        "`gate` refuses a candidate that does not fulfil the criterion. `score` and `cost` ask for a number by which "
        "candidates are compared: higher is better for a score, lower for a cost. `off` leaves the criterion out.",
    )
    samples: int = option(
        1, "How often the model is asked about one candidate; all at once.", at_least=1, at_most=MAX_SAMPLES
    )
    min_samples: int = option(1, "The fewest usable answers that decide.", at_least=1)
    min_pass: int = option(1, "For a gate: the fewest answers in favour with which a candidate passes.", at_least=1)
    aggregation: Literal["avg", "med", "min", "max"] = option(
        "avg", "For numbers: how several answers become one: their average, median, minimum or maximum."
    )
    minimum: float = option(0.0, "For numbers: the lowest that the model may give.")
    maximum: float = option(10.0, "For numbers: the highest that the model may give.")
    weight: float = option(1.0, "For numbers: the changed tokens that one point is worth.", above=0)
    sees: tuple[Field, ...] = option(
        ("code",),
        "The texts that the judging model is shown of a candidate: `code` is the target alone, `diff` the change, "
        "`file` the whole file, `instruction` your request.",
    )
    model: str = option(
        "",
        "The language model that judges, by its name in the settings. Empty: the default model.",
        reserved=SCRIPT_RESERVED,
        project_may=is_no_script,
    )

    def __post_init__(self) -> None:
        if not self.expression.strip():
            raise ValueError("expression must say in words what is judged, and is empty")
        check_bounds(self)
        for name in ("min_samples", "min_pass"):
            if getattr(self, name) > self.samples:
                raise ValueError(
                    f"{name} must be from 1 to samples, which is {self.samples}, not {getattr(self, name)}"
                )
        if not self.minimum < self.maximum:
            raise ValueError(f"minimum must be less than maximum, which is {self.maximum:g}, not {self.minimum:g}")
        if not self.sees:
            raise ValueError('sees must name at least one text of a candidate, such as "code"')
