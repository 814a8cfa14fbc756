"""Which files of a project pytest would look into, by their names alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

PATTERNS = ("test_*.py", "*_test.py")
"""How pytest names test files unless a project's configuration says otherwise."""

PREFIX = "test"
"""What the names of tests begin with."""

_SKIPPED = frozenset({"node_modules", "build", "dist", "__pycache__"})


def find_test_files(root: Path) -> Iterator[Path]:
    """The test files below `root`, without hidden directories, environments and what tools build."""
    for place, directories, files in os.walk(root):
        directories[:] = sorted(name for name in directories if not is_skipped(Path(place, name)))
        for name in sorted(files):
            if any(fnmatch(name, pattern) for pattern in PATTERNS):
                yield Path(place, name)


def is_skipped(directory: Path) -> bool:
    """Whether a directory holds nothing of the project's own: it is hidden, an environment, or what tools build."""
    if directory.name.startswith(".") or directory.name in _SKIPPED:
        return True
    return (directory / "pyvenv.cfg").exists() or (directory / "conda-meta").exists()


def is_test_file(path: str) -> bool:
    """Whether pytest looks into a file for tests; it is seen from the project's root."""
    name = path.rpartition("/")[2]
    return any(fnmatch(name, pattern) for pattern in PATTERNS)


def test_named(path: str, qualname: str) -> str | None:
    """The node id of the test that a function of a file is, or stands in, by their names alone; None for any other."""
    outermost = qualname.partition(".<locals>.")[0]
    if not is_test_file(path) or not outermost.rpartition(".")[2].startswith(PREFIX):
        return None
    return "::".join((path, *outermost.split(".")))
