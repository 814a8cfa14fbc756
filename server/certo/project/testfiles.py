"""Test files of a project, found by their names as pytest does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

PATTERNS = ("test_*.py", "*_test.py")
"""Patterns of test file names, pytest's defaults."""

PREFIX = "test"
"""Prefix of test names."""

_SKIPPED = frozenset({"node_modules", "build", "dist", "__pycache__"})


def find_test_files(root: Path, *, also: Iterable[str] = ()) -> Iterator[Path]:
    """Yield the test files below `root`, without hidden directories, environments and build output.

    Those with a name in `also` are taken for test files too.
    """
    patterns = (*PATTERNS, *also)
    for place, directories, files in os.walk(root):
        directories[:] = sorted(name for name in directories if not is_skipped(Path(place, name)))
        for name in sorted(files):
            if any(fnmatch(name, pattern) for pattern in patterns):
                yield Path(place, name)


def is_skipped(directory: Path) -> bool:
    """True if a directory holds nothing of the project's own: it is hidden, an environment, or build output."""
    if directory.name.startswith(".") or directory.name in _SKIPPED:
        return True
    return (directory / "pyvenv.cfg").exists() or (directory / "conda-meta").exists()


def is_test_file(path: str) -> bool:
    """True if pytest looks for tests in a file; `path` is relative to the project's root."""
    name = path.rpartition("/")[2]
    return any(fnmatch(name, pattern) for pattern in PATTERNS)


def test_named(path: str, qualname: str) -> str | None:
    """Return the node id of the test that a function is or is nested in, judged by names alone; None for any other."""
    outermost = qualname.partition(".<locals>.")[0]
    if not is_test_file(path) or not outermost.rpartition(".")[2].startswith(PREFIX):
        return None
    return "::".join((path, *outermost.split(".")))


def short_test_name(test: str) -> str:
    """Return the short name of a test: "test_change", "TestTill.test_change"."""
    return ".".join(test.split("::")[1:])
