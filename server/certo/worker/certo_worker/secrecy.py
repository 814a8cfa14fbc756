"""Files of the project whose content no run may have: to whoever opens one it is empty.

Keeping it away is the work of the walls or of a mount. This only has what is refused look as it does where something
empty lies over it: programs that would read such a file if there were one go on then.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from typing import Any, Iterable, List, Set

_hidden: Set[str] = set()
_names: Set[str] = set()
_wanted: List[str] = []
_open = io.open


def install(hidden: Iterable[str]) -> None:
    """Have the files and directories `hidden` look empty in this process where opening them is refused."""
    if _hidden or not hidden:
        return
    _hidden.update(hidden)
    _names.update(os.path.basename(path) for path in _hidden)
    builtins.open = io.open = _open_or_empty


def watch() -> None:
    """Remember from now on what of the hidden is opened."""
    if _hidden:
        sys.addaudithook(_hear)


def wanted() -> List[str]:
    """Return what was opened of the hidden, by the paths under which it is hidden."""
    return sorted(set(_wanted))


def _open_or_empty(file: Any, *arguments: Any, **named: Any) -> Any:
    try:
        return _open(file, *arguments, **named)
    except PermissionError:
        place = _hidden_at(file)
        if place is None:
            raise
        if os.path.realpath(os.fsdecode(file)) != os.path.realpath(place):
            # What is hidden is a directory, and there is nothing in it.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file) from None
        return _open(os.devnull, *arguments, **named)


def _hear(event: str, arguments: Any) -> None:
    if event == "open":
        place = _hidden_at(arguments[0])
        if place is not None:
            _wanted.append(place)


def _hidden_at(file: Any) -> Any:
    """Return which of the hidden a file is or lies in, or None."""
    try:
        path = os.path.abspath(os.fsdecode(file))
    except (TypeError, ValueError):
        # It is a descriptor, or nothing that can be opened.
        return None
    if _names.isdisjoint(path.split(os.sep)) and not os.path.islink(path):
        return None
    for spelled in (path, os.path.realpath(path)):
        while len(spelled) > 1:
            if spelled in _hidden:
                return spelled
            spelled = os.path.dirname(spelled)
    return None
