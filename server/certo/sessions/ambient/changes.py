"""Functions in which two texts of a file differ, and failing tests that pytest has noted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from certo.analysis.code_blocks import code_blocks
from certo.edits.target import ByName

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""The file in which pytest keeps the tests that failed, below its root."""


def changed_functions(before: str, after: str) -> Iterator[ByName]:
    """Yield the functions of a text that are new or differ in the text before; none if it does not parse."""
    old = code_blocks(before).functions
    for name, code in code_blocks(after).functions.items():
        if old.get(name) != code:
            qualname, _, number = name.rpartition("#")
            yield ByName(qualname, int(number))


def last_failed(cache: Path) -> frozenset[str]:
    """Return the node ids in pytest's file of failed tests; none if it cannot be read."""
    try:
        noted = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return frozenset()
    return frozenset(name for name in noted if "::" in name) if isinstance(noted, dict) else frozenset()
