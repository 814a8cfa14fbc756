"""Strategies as values that know which of their fields were set, so that they can be laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, ValidationError, ValidationInfo, field_validator

from certo.api.parts import Judges, Prices, Writes, misfits
from certo.llm.typed.typed_answer import AnswerAttempts
from certo.strategies.retry import RetryOptions
from certo.vocabulary.errors import BadSetting

Chosen = TypeVar("Chosen", bound="Choices")


class Choices(BaseModel):
    """A frozen value whose wrong fields are refused with our own error, which names the field and the value."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join((type(self).__name__, *map(str, first["loc"])))
            said = first["msg"].removeprefix("Value error, ")
            reason = said[:1].lower() + said[1:]
            raise BadSetting(f"{place} = {first['input']!r}: {reason}") from error


class RetryStrategy(Choices):
    """The number of times to ask a model, for text, for structured output and for code alike.

    One try is made alone. Only when it fails do `num_candidates` lines start in parallel, each of at most
    `max_iterations` tries, the one made already included, so with the defaults there are at most 1 + 3 * (3 - 1) = 7.
    Each line sees its own failures. The first success wins, and all others are cancelled. Without `first_try`, all
    lines start at once.
    """

    max_iterations: int = Field(default=3, ge=1)
    num_candidates: int = Field(default=3, ge=1)
    first_try: bool = True

    @property
    def tries(self) -> AnswerAttempts:
        """The same for structured output."""
        return AnswerAttempts(
            max_iterations=self.max_iterations, num_candidates=self.num_candidates, first_try=self.first_try
        )


class Strategy(RetryStrategy):
    """A way to come to code: how often to try, when to be content, and what writes, judges and prices candidates.

    A candidate that costs `accept_cost_threshold` or less wins at once; `min_candidates_for_comparison` candidates at
    or below `compare_cost_threshold` are enough to compare. With a threshold or a `cost` the cheapest of all lines
    wins, otherwise the first that passes; `select` says it outright.

    `generate` writes candidates in place of the model: a function of the specification and the failed attempts that
    returns code or says why not, or one of certo's generators. `verify` judges besides what always judges, which are
    syntax, signature, policy, examples and tests: a function of the code (and of the Runtime, in a parameter called
    `agent` or `context`), a criterion, one of certo's verifiers, or a
    list of these, of which all have to pass. `cost` prices what passed: a function of the code, a quantitative
    criterion, or one of certo's costs; the size of the code when not given. `evaluate` scores all candidates, passed or
    not: a function of the file's text, or an object with `evaluate(candidate, problem)`, that returns a number or a
    mapping with a "score"; strategies that grow a tree go on from those with the highest. `compact` shortens a
    conversation before it is sent. `seconds` is how long one search may take.
    """

    min_candidates_for_comparison: int = Field(default=1, ge=1)
    accept_cost_threshold: float | None = Field(default=None, allow_inf_nan=False)
    compare_cost_threshold: float | None = Field(default=None, allow_inf_nan=False)
    select: Literal["first", "cheapest"] | None = None
    generate: SkipValidation[Writes | None] = None
    verify: SkipValidation[Judges | Sequence[Judges] | None] = None
    cost: SkipValidation[Prices | None] = None
    evaluate: Any = None
    compact: Any = None
    seconds: float = Field(default=120.0, gt=0, allow_inf_nan=False)

    @field_validator("generate", "verify", "cost", "evaluate", "compact", mode="plain")
    @classmethod
    def _can_be_called(cls, given: Any, info: ValidationInfo) -> Any:
        """Refuse what could not be called as it will be."""
        for reason in misfits(info.field_name or "", given):
            raise ValueError(reason)
        return given

    @property
    def selects(self) -> Literal["first", "cheapest"]:
        """The candidate that ends the search: the first success, or the cheapest of all."""
        if self.select is not None:
            return self.select
        compares = (self.cost, self.accept_cost_threshold, self.compare_cost_threshold)
        return "first" if all(each is None for each in compares) else "cheapest"

    @property
    def options(self) -> RetryOptions:
        """The same for the strategy `retry` of a search."""
        return RetryOptions(
            num_candidates=self.num_candidates,
            max_iterations=self.max_iterations,
            first_try=self.first_try,
            select=self.selects,
            accept_cost_threshold=self.accept_cost_threshold,
            compare_cost_threshold=self.compare_cost_threshold,
            min_candidates_for_comparison=self.min_candidates_for_comparison,
        )


def merged(kind: type[Chosen], *layers: RetryStrategy | None) -> Chosen:
    """Return one strategy from several, the strongest first: each field is of the first layer that set it.

    A field that no layer has set has its default, and a layer's own defaults set nothing.
    """
    given: dict[str, Any] = {}
    for layer in reversed(layers):
        if layer is not None:
            names = layer.model_fields_set & set(kind.model_fields)
            given.update({name: getattr(layer, name) for name in names})
    return kind(**given)
