"""Criteria, single or combined: a gate passes or fails code, a gauge gives it a number."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from certo.criteria.aggregation import Decision, Rating

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
    """A criterion that passes or fails; `name` is used in findings."""

    name: str

    @abstractmethod
    async def decide(self, material: str | Mapping[str, str], /) -> Decision:
        """Judge code, or several named texts."""

    async def verify(self, code: str, /) -> Checked:
        """Judge code; return only the result and its reasons."""
        decision = await self.decide(code)
        if decision.passed:
            return Checked(passed=True, why_not=None)
        return Checked(passed=False, why_not="; ".join((decision.message, *decision.reasons[:1])))


class Gauge(ABC):
    """A criterion that gives a number; `name` is used in evidence."""

    name: str

    @abstractmethod
    async def rate(self, material: str | Mapping[str, str], /) -> Rating:
        """Rate code, or several named texts."""

    async def compute(self, code: str, /) -> float:
        """Return the cost of code alone: lower is better."""
        return (await self.rate(code)).cost
