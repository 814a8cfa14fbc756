"""Seeing which lines of the project's own code a test executes."""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Set

from certo_worker.describing import is_own

Lines = Dict[str, Set[int]]
"""Lines by file, each as seen from the project's root."""

Tracer = Callable[[FrameType, str, Any], Any]

# Python 3.12 and later have it.
_MONITORING: Any = getattr(sys, "monitoring", None)

# As in watch.py, whose watcher does not run beside this one.
_TOOL = 4


class Spectrum:
    """The lines of the project that were executed since `take`; of these only those `within`, unless that is None."""

    def __init__(self, root: str, within: Optional[Dict[str, List[int]]]):
        self._root = os.path.realpath(root)
        self._within = None if within is None else {file: frozenset(lines) for file, lines in within.items()}
        self._names: Dict[str, Optional[str]] = {}
        self._seen: Lines = {}

    def file_of(self, code: CodeType) -> Optional[str]:
        """The project's file that holds `code`, as seen from the root; None for what is not looked at."""
        name = code.co_filename
        if name not in self._names:
            self._names[name] = self._found(name)
        return self._names[name]

    def _found(self, name: str) -> Optional[str]:
        place = os.path.realpath(name)
        if name.startswith("<") or not is_own(place, self._root):
            return None
        relative = os.path.relpath(place, self._root).replace(os.sep, "/")
        return relative if self._within is None or relative in self._within else None

    def add(self, file: str, line: int) -> None:
        """Note that a line ran."""
        if self._within is None or line in self._within[file]:
            self._seen.setdefault(file, set()).add(line)

    def merge(self, lines: Lines) -> None:
        """Note that all of these ran."""
        for file, numbers in lines.items():
            self._seen.setdefault(file, set()).update(numbers)

    def take(self) -> Lines:
        """Return what was seen, and start anew."""
        seen, self._seen = self._seen, {}
        return seen


class Tracing:
    """Watches by `sys.settrace`, which is all that Pythons before 3.12 offer; threads started meanwhile included."""

    def __init__(self, spectrum: Spectrum):
        self._spectrum = spectrum

    def start(self) -> None:
        """Begin to watch."""
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        """Watch no longer."""
        sys.settrace(None)
        threading.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Optional[Tracer]:
        file = self._spectrum.file_of(frame.f_code)
        if file is None:
            return None
        spectrum = self._spectrum

        def line(frame: FrameType, event: str, _argument: Any) -> Any:
            if event == "line":
                spectrum.add(file, frame.f_lineno)
            return line

        return line


class Monitoring:
    """Watches by `sys.monitoring`, which costs next to nothing: each line is reported once a test."""

    def __init__(self, spectrum: Spectrum):
        self._spectrum = spectrum

    def start(self) -> None:
        """Begin to watch."""
        _MONITORING.use_tool_id(_TOOL, "certo")
        _MONITORING.register_callback(_TOOL, _MONITORING.events.PY_START, self._start)
        _MONITORING.register_callback(_TOOL, _MONITORING.events.LINE, self._line)
        _MONITORING.set_events(_TOOL, _MONITORING.events.PY_START)
        _MONITORING.restart_events()

    def stop(self) -> None:
        """Watch no longer."""
        _MONITORING.set_events(_TOOL, 0)
        _MONITORING.free_tool_id(_TOOL)

    def _start(self, code: CodeType, _offset: int) -> Any:
        if self._spectrum.file_of(code) is not None:
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        return _MONITORING.DISABLE

    def _line(self, code: CodeType, number: int) -> Any:
        file = self._spectrum.file_of(code)
        if file is not None:
            self._spectrum.add(file, number)
        return _MONITORING.DISABLE


def watcher(spectrum: Spectrum) -> Any:
    """Return what watches on this Python."""
    return Tracing(spectrum) if _MONITORING is None else Monitoring(spectrum)
