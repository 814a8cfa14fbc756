"""What is seen of how a candidate acts: a call, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A call of the target, and what comes of it in one candidate, in words."""

    call: str
    result: str
