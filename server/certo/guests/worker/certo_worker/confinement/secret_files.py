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
_stat = os.stat
_BETWEEN = frozenset({"os", "pathlib", "genericpath", "posixpath", "ntpath", "importlib", "zipfile", "zipimport"})
_ASKING = ("_pytest.", "certo_worker.")
_READING = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})


def install(hidden: Iterable[str]) -> None:
    """Have the files and directories `hidden` look empty in this process where opening them is refused."""
    if _hidden or not hidden:
        return
    _hidden.update(hidden)
    _names.update(os.path.basename(path) for path in _hidden)
    builtins.open = io.open = _open_or_empty


def watch() -> None:
    """Remember from now on what of the hidden is opened, and what is sought in hidden directories."""
    if _hidden:
        sys.addaudithook(_hear)
        os.stat = _stat_heard
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if _stat in able:
                able.add(_stat_heard)


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
    if event in _READING:
        path = arguments[0]
        if event == "sqlite3.connect" and isinstance(path, str) and path.startswith("file:"):
            path = path[len("file:") :].partition("?")[0]
        place = _hidden_at(path)
        if place is not None and not _is_ours(sys._getframe(1)):
            _wanted.append(place)


def _stat_heard(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
    """Do as `os.stat` does, of which no event tells; what is in a hidden directory may seem not to be there."""
    place = _hidden_at(path)
    if place is not None and os.path.abspath(os.fsdecode(path)) != place and not _is_ours(sys._getframe(1)):
        _wanted.append(place)
    return _stat(path, *arguments, **named)


def _is_ours(frame: Any) -> bool:
    """True if pytest or certo asks: that these look everywhere does not mean that tests need what is there."""
    while frame is not None and (_module(frame) == __name__ or _module(frame).partition(".")[0] in _BETWEEN):
        frame = frame.f_back
    return frame is not None and _module(frame).startswith(_ASKING)


def _module(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", ""))


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
