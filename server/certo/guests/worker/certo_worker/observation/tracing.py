"""Tracing of a test's execution: if it entered the target, and if it ran a changed line."""

from __future__ import annotations

import os
import sys
import threading
from inspect import CO_OPTIMIZED
from types import CodeType, FrameType
from typing import Any, Callable, Dict, FrozenSet, Iterable, Mapping, Optional, Tuple

try:
    from _lsprof import Profiler
except ImportError:  # other Pythons than CPython may have none
    Profiler = None  # type: ignore[assignment, misc]  # it is missing there

Tracer = Callable[[FrameType, str, Any], Any]

# Available from Python 3.12 on.
_MONITORING: Any = getattr(sys, "monitoring", None)

# The documented identifiers below 3 belong to debuggers, coverage tools and profilers.
_TOOL = 4

HAS_MONITORING = _MONITORING is not None
"""True if `Monitoring` is available on this Python."""


class Tracing:
    """Reports every call to `call`, by `sys.settrace`; threads started meanwhile are included."""

    def __init__(self, call: Tracer):
        self._call = call

    def start(self) -> None:
        """Start tracing."""
        threading.settrace(self._call)
        sys.settrace(self._call)

    def again(self) -> None:
        """Report what was reported before once more: tracing always does."""

    def flush(self) -> None:
        """Report everything that has run so far: tracing does so at once."""

    def stop(self) -> None:
        """Stop tracing."""
        sys.settrace(None)
        threading.settrace(None)


class Profiling:
    """Reports the code that ran to `enter`, by the profiler of the standard library, which costs less than tracing.

    `lost` is called if another profiler has run meanwhile. It sees one thread only, so threads that start get the trace
    function `call`. Tests see a process without a profiler: one that switches profilers off while it measures, and on
    again, as pytest-benchmark does, neither stops this one nor gets hold of it.
    """

    def __init__(self, enter: Callable[[CodeType], object], call: Tracer, lost: Callable[[], None]):
        self._enter = enter
        self._call = call
        self._lost = lost
        self._profiler: Any = Profiler()
        self._is_running = False
        self._was_replaced = False
        self._set, self._get = sys.setprofile, sys.getprofile

    def start(self) -> None:
        """Start profiling."""
        self._is_running = True
        self._was_replaced = False
        self._set, self._get = sys.setprofile, sys.getprofile
        sys.setprofile, sys.getprofile = self._set_theirs, self._get_theirs
        threading.settrace(self._call)
        self._profiler.enable(subcalls=False, builtins=False)

    def again(self) -> None:
        """Report what was reported before once more: each flush does."""

    def flush(self) -> None:
        """Report everything that has run so far."""
        if self._is_running:
            self.stop()
            self.start()

    def stop(self) -> None:
        """Stop profiling, and report everything that has run."""
        self._is_running = False
        sys.setprofile, sys.getprofile = self._set, self._get
        # A test may have used a profiler of its own.
        is_lost = self._was_replaced or sys.getprofile() is not self._profiler
        self._profiler.disable()
        threading.settrace(None)
        for entry in self._profiler.getstats():
            if isinstance(entry.code, CodeType):
                self._enter(entry.code)
        self._profiler.clear()
        if is_lost:
            self._lost()

    def _set_theirs(self, function: Any) -> None:
        """Set the profile function of a test; None leaves this profiler running, or starts it again."""
        if function is not None:
            self._was_replaced = True
            self._set(function)
        elif self._get() is not self._profiler:
            # A profiler of the standard library is switched on past this function, and has stopped this one.
            self._was_replaced = True
            self._set(None)
            self._profiler.enable(subcalls=False, builtins=False)

    def _get_theirs(self) -> Any:
        """Return the profile function of a test; this profiler is none."""
        current = self._get()
        return None if current is self._profiler else current


class Monitoring:
    """Reports lines by `sys.monitoring`, which costs next to nothing: each place is reported once between two starts.

    `enter` is asked when code starts to run if its lines are wanted, and `line` is called for these. Only one instance
    can watch at a time.
    """

    def __init__(self, enter: Callable[[CodeType], bool], line: Callable[[CodeType, int], None]):
        self._wanted = enter
        self._tell = line

    def start(self) -> None:
        """Start monitoring."""
        _MONITORING.use_tool_id(_TOOL, "certo")
        _MONITORING.register_callback(_TOOL, _MONITORING.events.PY_START, self._start)
        _MONITORING.register_callback(_TOOL, _MONITORING.events.LINE, self._line)
        _MONITORING.set_events(_TOOL, _MONITORING.events.PY_START)
        _MONITORING.restart_events()

    def again(self) -> None:
        """Report places once more that were reported before."""
        _MONITORING.restart_events()

    def flush(self) -> None:
        """Report everything that has run so far: monitoring does so at once."""

    def stop(self) -> None:
        """Stop monitoring."""
        _MONITORING.set_events(_TOOL, 0)
        _MONITORING.free_tool_id(_TOOL)

    def _start(self, code: CodeType, _offset: int) -> Any:
        if self._wanted(code):
            _MONITORING.set_local_events(_TOOL, code, _MONITORING.events.LINE)
        return _MONITORING.DISABLE

    def _line(self, code: CodeType, number: int) -> Any:
        self._tell(code, number)
        return _MONITORING.DISABLE


class Sight:
    """Lines of interest in one `file`, and the observations since `forget`.

    `first` to `last` are the target's lines, decorators included; `changed` the lines a candidate changed. With
    `entry_counts` the head of the target changed, which has no line of its own to observe: entering the target then
    counts as touching the change. `elsewhere` are the changed lines of other files, which also count if they run. Where
    the target is two functions, `between` are the first and the last line of what stands between them.
    """

    def __init__(
        self,
        file: str,
        first: int,
        last: int,
        changed: Iterable[int] = (),
        *,
        entry_counts: bool = False,
        elsewhere: Optional[Mapping[str, Iterable[int]]] = None,
        between: Tuple[int, int] = (0, -1),
    ):
        self.reached = False
        self.touched = False
        self.file = os.path.realpath(file)
        self.first = first
        self.last = last
        self._between = between
        self._changed = frozenset(changed)
        self._entry_counts = entry_counts
        self._same_file: Dict[str, bool] = {}
        self._elsewhere = {os.path.realpath(path): frozenset(lines) for path, lines in (elsewhere or {}).items()}
        self._lines: Dict[str, FrozenSet[int]] = {}

    def is_imported(self) -> bool:
        """True if a module of this file has been imported."""
        files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
        name = os.path.basename(self.file)
        return any(
            isinstance(file, str) and os.path.basename(file) == name and os.path.realpath(file) == self.file
            for file in files
        )

    def forget(self) -> None:
        """Reset the observations for the next test."""
        self.reached = False
        self.touched = False

    def is_target(self, code: CodeType) -> bool:
        """True if `code` is the target or nested in it.

        The lines of its `def` and decorators also belong to the surrounding module or class, whose code starts earlier
        or is the module's: running those defines the target, it does not execute it.
        """
        if not self.first <= code.co_firstlineno <= self.last or code.co_name == "<module>":
            return False
        if self._between[0] <= code.co_firstlineno <= self._between[1]:
            return False
        name = code.co_filename
        if name not in self._same_file:
            self._same_file[name] = os.path.realpath(name) == self.file
        return self._same_file[name]

    def enter(self) -> None:
        """Record that the target was entered."""
        self.reached = True
        self.touched = self.touched or self._entry_counts

    def line(self, code: CodeType, number: int) -> None:
        """Record that a line of interest ran, in the target or elsewhere."""
        if number in (self.lines_elsewhere(code) or self._changed):
            self.touched = True

    def lines_elsewhere(self, code: CodeType) -> FrozenSet[int]:
        """Return the changed lines of another file within the function `code`, if there are any.

        The bodies of modules and classes only define their members; running them executes none of those.
        """
        if not self._elsewhere or not code.co_flags & CO_OPTIMIZED:
            return frozenset()
        name = code.co_filename
        if name not in self._lines:
            self._lines[name] = self._elsewhere.get(os.path.realpath(name), frozenset())
        return self._lines[name]

    def enter_elsewhere(self, code: CodeType) -> None:
        """Record that another function with changed lines was entered: the line of its `def` ran before the test."""
        self.touched = self.touched or code.co_firstlineno in self.lines_elsewhere(code)

    @property
    def wants_lines(self) -> bool:
        """True if single lines are of interest, besides the target as a whole."""
        return bool(self._changed or self._elsewhere)

    def satisfied(self) -> bool:
        """True if there is nothing more to observe."""
        return self.reached and (self.touched or not self.wants_lines)


def watcher(
    sight: Sight, also: Optional[Callable[[CodeType], None]] = None, lost: Callable[[], None] = lambda: None
) -> Any:
    """Return the watcher for this Python version; `also` is called with all code that starts to run, at least once.

    `lost` is called if some of it may not have been seen.
    """
    if HAS_MONITORING:
        return Monitoring(*_monitored(sight, also))
    tracer = _traced(sight, also)
    # Without `also` tracing is cheaper: it ends when the target was seen.
    if also is None or sight.wants_lines or Profiler is None:
        return Tracing(tracer)
    enter, _ = _monitored(sight, also)

    def lose() -> None:
        sight.enter()
        lost()

    return Profiling(enter, tracer, lose)


def _traced(sight: Sight, also: Optional[Callable[[CodeType], None]]) -> Tracer:
    first, last = sight.first, sight.last

    def call(frame: FrameType, _event: str, _argument: Any) -> Optional[Tracer]:
        # This runs on every call of any function, nearly none of which is the target.
        if also is not None:
            also(frame.f_code)
        if first <= frame.f_code.co_firstlineno <= last and sight.is_target(frame.f_code):
            sight.enter()
        elif sight.lines_elsewhere(frame.f_code):
            sight.enter_elsewhere(frame.f_code)
        else:
            return None
        return unless_satisfied()

    def line(frame: FrameType, event: str, _argument: Any) -> Optional[Tracer]:
        if event == "line":
            sight.line(frame.f_code, frame.f_lineno)
        return unless_satisfied()

    def unless_satisfied() -> Optional[Tracer]:
        if not sight.satisfied():
            return line
        # Tracing costs time, so it ends as soon as everything has been seen.
        if also is None:
            sys.settrace(None)
        return None

    return call


def _monitored(sight: Sight, also: Optional[Callable[[CodeType], None]]) -> Any:
    def enter(code: CodeType) -> bool:
        if also is not None:
            also(code)
        if sight.is_target(code):
            sight.enter()
            return True
        if sight.lines_elsewhere(code):
            sight.enter_elsewhere(code)
            return True
        return False

    return enter, sight.line
