"""Hidden files of the project, which appear empty to code that opens them.

Confinement or a mount protects their content. This module only makes a refused file look as if an empty one were
mounted over it: programs that optionally read such a file then continue.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from typing import Any, Iterable, List, Set

from certo_worker import STAND_INS

_hidden: Set[str] = set()
_names: Set[str] = set()
_wanted: List[str] = []
_watching: List[bool] = []
_open = io.open
_stat = os.stat
_BETWEEN = frozenset({"os", "pathlib", "genericpath", "posixpath", "ntpath", "importlib", "zipfile", "zipimport"})
_ASKING = ("_pytest.", "certo_worker.")
_HANDING_ON = frozenset({__name__, "certo_worker.observation.executed_code"})
"""Modules of ours whose `open` stands in for the built-in one."""
_READING = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})


def install(hidden: Iterable[str]) -> None:
    """Make the files and directories in `hidden` appear empty in this process if opening them is refused."""
    if _hidden or not hidden:
        return
    _hidden.update(hidden)
    _names.update(os.path.basename(path) for path in _hidden)
    builtins.open = io.open = _open_or_empty


def watch() -> None:
    """Record from now on which hidden files are opened or looked up in hidden directories."""
    if _hidden and not _watching:
        sys.addaudithook(_hear)
        _watching.append(True)
        os.stat = _stat_heard
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if _stat in able:
                able.add(_stat_heard)


def unwatch() -> None:
    """Record nothing more; the hook stays, because Python can remove none."""
    _watching[:] = [False] * len(_watching)
    os.stat = _stat


def wanted() -> List[str]:
    """Return the opened hidden files, by the paths under which they are hidden."""
    return sorted(set(_wanted))


def _open_or_empty(file: Any, *arguments: Any, **named: Any) -> Any:
    try:
        return _open(file, *arguments, **named)
    except PermissionError:
        place = _hidden_at(file)
        if place is None:
            raise
        if os.path.realpath(os.fsdecode(file)) != os.path.realpath(place):
            # The hidden path is a directory, which appears empty.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file) from None
        return _open(os.devnull, *arguments, **named)


def _hear(event: str, arguments: Any) -> None:
    if event in _READING and _watching[0]:
        path = arguments[0]
        if event == "sqlite3.connect" and isinstance(path, str) and path.startswith("file:"):
            path = path[len("file:") :].partition("?")[0]
        place = _hidden_at(path)
        if place is not None and not _is_ours(sys._getframe(1)):
            _wanted.append(place)


def _stat_heard(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
    """Act as `os.stat`, which raises no audit event; files in a hidden directory may seem to be missing."""
    place = _hidden_at(path)
    if place is not None and os.path.abspath(os.fsdecode(path)) != place and not _is_ours(sys._getframe(1)):
        _wanted.append(place)
    return _stat(path, *arguments, **named)


STAND_INS.extend([(_open_or_empty, "builtins", "open"), (_stat_heard, "os", "stat")])


def _is_ours(frame: Any) -> bool:
    """True if pytest or certo asks: they look everywhere, which does not mean that tests need the files."""
    while frame is not None and (_module(frame) in _HANDING_ON or _module(frame).partition(".")[0] in _BETWEEN):
        frame = frame.f_back
    return frame is not None and _module(frame).startswith(_ASKING)


def _module(frame: Any) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _hidden_at(file: Any) -> Any:
    """Return the hidden path that a file is or is in, or None."""
    try:
        path = os.path.abspath(os.fsdecode(file))
    except (TypeError, ValueError):
        # A descriptor, or something that cannot be opened.
        return None
    if _names.isdisjoint(path.split(os.sep)) and not os.path.islink(path):
        return None
    for spelled in (path, os.path.realpath(path)):
        while len(spelled) > 1:
            if spelled in _hidden:
                return spelled
            spelled = os.path.dirname(spelled)
    return None
