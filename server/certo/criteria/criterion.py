"""Criteria, single or combined: a gate passes or fails code, a gauge gives it a number."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from certo.criteria.aggregation import Decision, Rating
from certo.vocabulary.cost import Spread
from certo.vocabulary.verdict import Votes

_NAME = 30
"""Maximum length of a name made from an expression."""


def name_after(expression: str) -> str:
    """Return a name for a criterion without one: the first words of its expression, as `is-it-easy-to-read`."""
    words, name = re.findall(r"\w+", expression.lower()), ""
    for word in words:
        if name and len(name) + 1 + len(word) > _NAME:
            break
        name = f"{name}-{word}" if name else word[:_NAME]
    return name or "criterion"


class Checked(NamedTuple):
    """The result of a gate with its reasons. True only if the code passed, so `all` and `any` combine results."""

    passed: bool
    why_not: str | None

    def __bool__(self) -> bool:
        return self.passed


class Gate(ABC):
    """A criterion that passes or fails; `name` is used in findings.

    A subclass has its own `decide`, or its own `verify` that takes the code and returns True or False, or that and a
    reason; `verify` comes first.
    """

    name: str

    @abstractmethod
    async def decide(self, material: str | Mapping[str, str], /) -> Decision:
        """Judge code, or several named texts."""

    async def judged(self, material: str | Mapping[str, str], /) -> Decision:
        """Return the decision that counts: that of `verify` if a subclass has its own, else that of `decide`.

        Raises:
            TypeError: Its own `verify` returned neither True or False, nor that and a reason.
        """
        if type(self).verify is Gate.verify:
            return await self.decide(material)
        said: object = await self.verify(_code(material))
        passed, why_not = said if isinstance(said, tuple) and len(said) == 2 else (said, "")
        if not isinstance(passed, bool):
            raise TypeError(f"its verify returned {said!r}; it returns True or False, or that and a reason")
        return Decision(
            passed=passed,
            message="" if passed else str(why_not or f"{self.name} refuses the code"),
            votes=Votes(passed=int(passed), valid=1, asked=1, needed=1),
        )

    async def verify(self, code: str, /) -> Checked:
        """Judge code; return only the result and its reasons."""
        decision = await self.decide(code)
        if decision.passed:
            return Checked(passed=True, why_not=None)
        return Checked(passed=False, why_not="; ".join((decision.message, *decision.reasons[:1])))


def _code(material: str | Mapping[str, str]) -> str:
    """Return the code of some material, which is all that `verify` and `compute` take."""
    return material if isinstance(material, str) else material.get("code", "\n\n".join(material.values()))


class Gauge(ABC):
    """A criterion that gives a number; `name` is used in evidence.

    A subclass has its own `rate`, or its own `compute` that takes the code and returns its cost; `compute` comes first.
    """

    name: str

    @abstractmethod
    async def rate(self, material: str | Mapping[str, str], /) -> Rating:
        """Rate code, or several named texts."""

    async def rated(self, material: str | Mapping[str, str], /) -> Rating:
        """Return the rating that counts: by `compute` if a subclass has its own, else that of `rate`.

        Raises:
            TypeError: Its own `compute` returned no number.
        """
        if type(self).compute is Gauge.compute:
            return await self.rate(material)
        number: object = await self.compute(_code(material))
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(f"the compute of {self.name} returned {number!r}; it returns a number")
        value = float(number)
        return Rating(spread=Spread(values=(value,), aggregate=value, low=value, high=value))

    async def compute(self, code: str, /) -> float:
        """Return the cost of code alone: lower is better."""
        return (await self.rate(code)).cost
