"""The built-in generator's own options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOptions:
    """The limits of the generator without a model.

    It stops after `candidates` edits, after `steps` that they have taken (calls and turns of loops), or when
    `plausible` different ones have passed the tests it runs for itself, whichever comes first. That is the same on
    every machine; `seconds` in which it could go on are the backstop, for what takes time and no steps. Of those that
    passed it shows at most five that act differently; it stops sooner when it has one and others are long in coming.
    """

    seconds: float = 30.0
    steps: int = 40_000_000
    candidates: int = 20000
    plausible: int = 24

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"builtin.seconds must be more than 0, not {self.seconds}")
        for name in ("steps", "candidates", "plausible"):
            if getattr(self, name) < 1:
                raise ValueError(f"builtin.{name} must be at least 1, not {getattr(self, name)}")
