"""Quantitative criterion: a rating in plain language, aggregated from several answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from certo.criteria.aggregation import Rating, Scale, aggregate
from certo.criteria.answers import Reading, read_number
from certo.criteria.criterion import Gauge, name_after
from certo.criteria.prompts import judging, number_question
from certo.criteria.sampling import sample, say
from certo.criteria.validation import check_counts, check_expression, check_how, check_model, check_scale
from certo.llm.model import ChatModel
from certo.llm.prompt import Sampling

_SAMPLING = Sampling()


class QuantitativeCriteria(Gauge):
    """Gives code a number from `min` to `max` by a criterion, asking a model `num_samples` times at once.

    Answers are aggregated by `agg`: "avg", "med", "min" or "max". With fewer usable answers than
    `min_samples_for_aggregation` the result is the middle of the scale, marked as a fallback. Names, order and defaults
    of A1's parameters are unchanged; as there, a number outside the scale is clamped if it is the only one and dropped
    if there are several, unless `outside` decides both cases. Lower is better, as for any cost, unless
    `higher_is_better`. In addition, `name` is its name, by default the first words of the expression; `sampling` the
    sampling parameters; and `structured` makes the provider enforce the form of an answer.

    Raises:
        BadSetting: A parameter is invalid, or they contradict each other.
    """

    def __init__(
        self,
        expression: str,
        llm: ChatModel,
        min: float = 0.0,  # noqa: A002 - A1's name
        max: float = 10.0,  # noqa: A002 - A1's name
        agg: str = "avg",
        num_samples: int = 1,
        min_samples_for_aggregation: int = 1,
        *,
        higher_is_better: bool = False,
        outside: Literal["clamp", "drop"] | None = None,
        name: str = "",
        sampling: Sampling = _SAMPLING,
        structured: bool = True,
    ) -> None:
        check_expression(expression)
        check_model(llm)
        check_scale(min, max)
        check_how("agg", agg)
        check_how("outside", outside)
        check_counts(num_samples, min_samples_for_aggregation=min_samples_for_aggregation)
        self.expression = expression
        self.llm = llm
        self.min = float(min)
        self.max = float(max)
        self.agg = agg
        self.num_samples = num_samples
        self.min_samples_for_aggregation = min_samples_for_aggregation
        self.higher_is_better = higher_is_better
        self.outside = outside
        self.name = name or name_after(expression)
        self.sampling = sampling
        self.structured = structured

    async def rate(self, material: str | Mapping[str, str], /) -> Rating:
        """Rate code, or several named texts.

        Raises:
            BudgetExhausted: The budget does not cover the calls for the number.
            BadRequest: The model cannot be asked with these settings.
        """
        prompt = judging(
            self.expression,
            material,
            number_question(self.min, self.max),
            sampling=self.sampling,
            structured=self.structured,
        )
        clamps = self.num_samples == 1 if self.outside is None else self.outside == "clamp"
        scale = Scale(low=self.min, high=self.max, clamps=clamps)

        def read(answer: str) -> Reading[float]:
            reading = read_number(answer, low=scale.low, high=scale.high)
            return scale.fit(reading)

        told = partial(say, self.name)
        heard = await sample(self.llm, prompt, self.num_samples, read=read, decided=lambda _: False, counted=told)
        values = [one.value for one in heard if one.value is not None]
        least = self.min_samples_for_aggregation
        spread = aggregate(values, scale, how=self.agg, least=least)
        missing = f"insufficient valid answers of the model: {len(values)}/{least}; {spread.aggregate:g} is a fallback"
        return Rating(
            spread=spread,
            higher_is_better=self.higher_is_better,
            message=missing if spread.fallback else "",
            samples=heard,
        )
