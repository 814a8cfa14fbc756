"""The contract of a criterion, single or put together from others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from certo.criteria.aggregation import Rating
from certo.criteria.votes import Decision


class Gate(Protocol):
    """A criterion that is met or not."""

    async def judge(self, material: str | Mapping[str, str], /) -> Decision:
        """Judge code, or several named texts."""
        ...


class Gauge(Protocol):
    """A criterion that gives a number."""

    async def judge(self, material: str | Mapping[str, str], /) -> Rating:
        """Rate code, or several named texts."""
        ...
