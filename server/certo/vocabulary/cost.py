"""What may be spent, what was spent, and what a candidate costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A number by which candidates are compared, lower is better, with its unit and source in words."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one search may spend: candidates judged, and wall-clock seconds."""

    candidates: int = 64
    seconds: float = 60.0

    def __post_init__(self) -> None:
        if self.candidates < 1:
            raise ValueError(f"a budget needs at least 1 candidate, not {self.candidates}")
        if not self.seconds > 0:
            raise ValueError(f"a budget needs more than 0 seconds, not {self.seconds}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a search has spent so far, in the units of its Budget."""

    candidates: int = 0
    seconds: float = 0.0
