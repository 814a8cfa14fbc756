"""The built-in generator's own options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOptions:
    """How long and how far the generator without a model searches.

    It stops after `candidates` edits, after `seconds` of wall time, or when `plausible` different ones have passed the
    tests it runs for itself, whichever comes first.
    """

    seconds: float = 30.0
    candidates: int = 20000
    plausible: int = 5
