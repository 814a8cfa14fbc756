"""The interpreter's own ways of telling what runs: by tracing, and from Python 3.12 on by monitoring."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable

Tracer = Callable[[FrameType, str, Any], Any]

# Python 3.12 and later have it.
_MONITORING: Any = getattr(sys, "monitoring", None)

# The documented identifiers below 3 belong to debuggers, coverage tools and profilers.
_TOOL = 4

HAS_MONITORING = _MONITORING is not None
"""Whether `Monitoring` can be had on this Python."""


class Tracing:
    """Has `call` told of every call, by `sys.settrace`; threads started meanwhile included."""

    def __init__(self, call: Tracer):
        self._call = call

    def start(self) -> None:
        """Begin to watch."""
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        """Watch no longer."""
        sys.settrace(None)
        threading.settrace(None)


class Monitoring:
    """Tells of lines by `sys.monitoring`, which costs next to nothing: each place is reported once between two starts.

    `enter` is asked of code that starts to run whether its lines are wanted, `line` is told of these. Only one of this
    kind can watch at a time.
    """

    def __init__(self, enter: Callable[[CodeType], bool], line: Callable[[CodeType, int], None]):
        self._wanted = enter
        self._tell = line

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
        if self._wanted(code):
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        return _MONITORING.DISABLE

    def _line(self, code: CodeType, number: int) -> Any:
        self._tell(code, number)
        return _MONITORING.DISABLE
