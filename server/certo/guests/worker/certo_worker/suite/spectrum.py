"""Recording of the lines of the project's own code that a test executes."""

from __future__ import annotations

import os
from types import CodeType, FrameType
from typing import Any, Dict, List, Optional, Set

from certo_worker.observation.failure_text import is_own
from certo_worker.observation.tracing import HAS_MONITORING, Monitoring, Tracer, Tracing

Lines = Dict[str, Set[int]]
"""Lines by file, relative to the project's root."""


class Spectrum:
    """The project's lines executed since `take`, only those in `within` unless that is None."""

    def __init__(self, root: str, within: Optional[Dict[str, List[int]]]):
        self._root = os.path.realpath(root)
        self._within = None if within is None else {file: frozenset(lines) for file, lines in within.items()}
        self._names: Dict[str, Optional[str]] = {}
        self._seen: Lines = {}

    def file_of(self, code: CodeType) -> Optional[str]:
        """Return the project's file that contains `code`, relative to the root; None for other code."""
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
        """Record that a line ran."""
        if self._within is None or line in self._within[file]:
            self._seen.setdefault(file, set()).add(line)

    def merge(self, lines: Lines) -> None:
        """Record that all of these ran."""
        for file, numbers in lines.items():
            self._seen.setdefault(file, set()).update(numbers)

    def take(self) -> Lines:
        """Return the recorded lines and reset."""
        seen, self._seen = self._seen, {}
        return seen


def watcher(spectrum: Spectrum) -> Any:
    """Return the watcher for this Python version."""
    return Monitoring(*_monitored(spectrum)) if HAS_MONITORING else Tracing(_traced(spectrum))


def _traced(spectrum: Spectrum) -> Tracer:
    def call(frame: FrameType, _event: str, _argument: Any) -> Optional[Tracer]:
        file = spectrum.file_of(frame.f_code)
        if file is None:
            return None

        def line(frame: FrameType, event: str, _argument: Any) -> Any:
            if event == "line":
                spectrum.add(file, frame.f_lineno)
            return line

        return line

    return call


def _monitored(spectrum: Spectrum) -> Any:
    def line(code: CodeType, number: int) -> None:
        file = spectrum.file_of(code)
        if file is not None:
            spectrum.add(file, number)

    return (lambda code: spectrum.file_of(code) is not None), line
