"""Telling the files of libraries from those of the project."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))}
)


def is_library(file: Any) -> bool:
    """Whether a file is the standard library's or an installed package's."""
    return isinstance(file, str) and os.path.realpath(file).startswith(_LIBRARIES)
