"""Forty slow functions as people write them, each with a few calls that its tests make, and the split of the set.

The split is by a hash of the name. Templates were tuned on the development half alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowFunction:
    """A function in a module of its own, and expressions with the values that its tests expect."""

    name: str
    source: str
    calls: tuple[str, ...]

    @property
    def is_development(self) -> bool:
        """True for the half of the set that may be looked at."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 0


def _functions(text: str) -> tuple[SlowFunction, ...]:
    """Return the functions of a text: parts divided by `###`, each with its calls in lines that begin with `>>>`."""
    found = []
    for part in text.strip().split("\n###\n"):
        lines = part.strip("\n").split("\n")
        calls = tuple(line[4:] for line in lines if line.startswith(">>> "))
        source = "\n".join(line for line in lines if not line.startswith(">>> ")).strip() + "\n"
        name = calls[0].partition("(")[0]
        found.append(SlowFunction(name=name, source=source, calls=calls))
    return tuple(found)


FUNCTIONS = _functions(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
