"""Files of modules: their real places, and which of them are libraries' and not the project's."""

from __future__ import annotations

import os
import sysconfig
from typing import Any, Dict, Iterable

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))}
)


def is_library(file: Any) -> bool:
    """True if a file belongs to the standard library or an installed package."""
    return isinstance(file, str) and is_library_place(os.path.realpath(file))


def is_library_place(real: str) -> bool:
    """True if a real path is in the standard library or an installed package."""
    return real.startswith(_LIBRARIES)


def real_places(files: Iterable[str]) -> Dict[str, str]:
    """Return the real path of each file, for which each directory is looked at once: a process has hundreds."""
    directories: Dict[str, str] = {}
    found = {}
    for file in files:
        directory, name = os.path.split(file)
        if name in ("", os.curdir, os.pardir) or os.path.islink(file):
            found[file] = os.path.realpath(file)
            continue
        if directory not in directories:
            directories[directory] = os.path.realpath(directory)
        found[file] = os.path.join(directories[directory], name)
    return found
