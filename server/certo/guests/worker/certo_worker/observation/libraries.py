"""Distinction of library files from the project's."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))}
)


def is_library(file: Any) -> bool:
    """True if a file belongs to the standard library or an installed package."""
    return isinstance(file, str) and os.path.realpath(file).startswith(_LIBRARIES)
