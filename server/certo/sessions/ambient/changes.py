"""Functions in which two texts of a file differ, and failing tests that pytest has noted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from certo.analysis.code_blocks import code_blocks
from certo.edits.target import ByName, split_target
from certo.vocabulary.errors import BadRequest

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
"""The file in which pytest keeps the tests that failed, below its root."""

_MAX_BYTES = 4 * 1024 * 1024
"""The size of a file of failed tests that is read: anything may have written it."""

_MAX_CHARACTERS = 1000
"""The length of a node id that is read."""


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
        with cache.open("rb") as file:
            noted = json.loads(file.read(_MAX_BYTES))  # A larger one is cut off, so it is no JSON.
    except (OSError, ValueError, RecursionError):
        return frozenset()
    return frozenset(name for name in noted if "::" in name) if isinstance(noted, dict) else frozenset()


def named_test(name: str) -> tuple[Path, ByName] | None:
    """Return the file and the function of a node id; None if it names none, or one outside of the project."""
    if len(name) > _MAX_CHARACTERS:
        return None
    try:
        path, place = split_target(name)
    except (BadRequest, RuntimeError):
        return None  # Plug-ins name other things than functions, and a name may begin with the home of nobody.
    is_inside = not path.is_absolute() and ".." not in path.parts
    return (path, place) if is_inside and isinstance(place, ByName) else None
