"""Settings of the built-in generator."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOptions:
    """Limits of the generator without a model.

    It stops after `candidates` edits, after `steps` of execution (calls and loop iterations), or when `plausible`
    different ones have passed its own test runs, whichever comes first. These limits act the same on every machine;
    `seconds` is a backstop for code that takes time without steps. Of the passing ones it shows at most five that
    behave differently; it stops early when it has one and others are long in coming.
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
