"""Seeing what a test executes: whether it entered the target, and whether it ran a changed line."""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Iterable, Optional

Tracer = Callable[[FrameType, str, Any], Any]

# Python 3.12 and later have it.
_MONITORING: Any = getattr(sys, "monitoring", None)

# The documented identifiers below 3 belong to debuggers, coverage tools and profilers.
_TOOL = 4


class Sight:
    """What is being looked for in one `file`, and what was seen of it since `forget`.

    `first` to `last` are the target's lines, decorators included; `changed` the lines a candidate changed. When
    `entry_counts`, the head of the target changed, which leaves no line of its own to see: entering it is touching it.
    """

    def __init__(self, file: str, first: int, last: int, changed: Iterable[int] = (), *, entry_counts: bool = False):
        self.reached = False
        self.touched = False
        self.file = os.path.realpath(file)
        self.first = first
        self.last = last
        self._changed = frozenset(changed)
        self._entry_counts = entry_counts
        self._same_file: Dict[str, bool] = {}

    def is_imported(self) -> bool:
        """Whether a module of this file has been imported by now."""
        files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
        name = os.path.basename(self.file)
        return any(
            isinstance(file, str) and os.path.basename(file) == name and os.path.realpath(file) == self.file
            for file in files
        )

    def forget(self) -> None:
        """Start anew, for the next test."""
        self.reached = False
        self.touched = False

    def is_target(self, code: CodeType) -> bool:
        """Whether `code` is the target or lies within it.

        The lines of its `def` and decorators also belong to the module or class around it, whose code starts earlier
        or is the module's: running those defines the target, it does not execute it.
        """
        if not self.first <= code.co_firstlineno <= self.last or code.co_name == "<module>":
            return False
        name = code.co_filename
        if name not in self._same_file:
            self._same_file[name] = os.path.realpath(name) == self.file
        return self._same_file[name]

    def enter(self) -> None:
        """Note that the target was entered."""
        self.reached = True
        self.touched = self.touched or self._entry_counts

    def line(self, number: int) -> None:
        """Note that a line of the target ran."""
        if number in self._changed:
            self.touched = True

    def satisfied(self) -> bool:
        """Whether there is nothing more to see."""
        return self.reached and (self.touched or not self._changed)


class Tracing:
    """Watches by `sys.settrace`, which is all that Pythons before 3.12 offer; threads started meanwhile included."""

    def __init__(self, sight: Sight):
        self._sight = sight
        self._call = self._made_for_calls()

    def start(self) -> None:
        """Begin to watch."""
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        """Watch no longer."""
        sys.settrace(None)
        threading.settrace(None)

    def _made_for_calls(self) -> Tracer:
        sight, first, last = self._sight, self._sight.first, self._sight.last

        def call(frame: FrameType, _event: str, _argument: Any) -> Optional[Tracer]:
            # This is called on every call of anything, nearly none of which is the target's.
            if not first <= frame.f_code.co_firstlineno <= last or not sight.is_target(frame.f_code):
                return None
            sight.enter()
            return self._unless_satisfied()

        return call

    def _line(self, frame: FrameType, event: str, _argument: Any) -> Optional[Tracer]:
        if event == "line":
            self._sight.line(frame.f_lineno)
        return self._unless_satisfied()

    def _unless_satisfied(self) -> Optional[Tracer]:
        if not self._sight.satisfied():
            return self._line
        # Tracing costs time, so it ends as soon as it has seen all it is for.
        sys.settrace(None)
        return None


class Monitoring:
    """Watches by `sys.monitoring`, which costs next to nothing: each place is reported once a test."""

    def __init__(self, sight: Sight):
        self._sight = sight

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
        if self._sight.is_target(code):
            self._sight.enter()
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        return _MONITORING.DISABLE

    def _line(self, _code: CodeType, number: int) -> Any:
        self._sight.line(number)
        return _MONITORING.DISABLE


def watcher(sight: Sight) -> Any:
    """Return what watches on this Python."""
    return Tracing(sight) if _MONITORING is None else Monitoring(sight)
