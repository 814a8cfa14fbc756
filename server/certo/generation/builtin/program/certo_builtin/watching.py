"""Watching the code under repair while a check runs: its lines, the kinds of its values, the literals of the check.

Python 3.12 and later report lines through `sys.monitoring` (PEP 669), of the watched code objects only and each line
no more often than wanted, which costs next to nothing. Before, a trace function has to see every line.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterator, List, Set, Tuple

EVENTS = 400
"""Locals are looked at on each of so many line events of a check, and on every 997th thereafter."""

PLAIN = frozenset({
    "int", "str", "list", "dict", "set", "tuple", "float", "bool", "NoneType", "function", "module", "type", "range",
    "builtin_function_or_method", "generator", "deque", "defaultdict", "Counter", "method", "map", "filter", "zip",
    "enumerate", "complex", "bytes", "frozenset", "OrderedDict",
})  # fmt: skip
"""Kinds of values whose attributes are not the project's."""

MOST_ATTRIBUTES = 100
MOST_PARTS = 12
"""Attributes of one object whose values' kinds are noted, at most."""

MOST_LITERALS = 24
LONGEST_LITERAL = 40


class Watch:
    """What was seen of some code objects; `first` is added to their lines."""

    def __init__(self, codes: List[Any], first: int) -> None:
        self.codes = {id(code): code for code in codes}
        self.first = first
        self.lines: Set[int] = set()
        self.kinds: Set[Tuple[str, str, str]] = set()
        self.attributes: Set[Tuple[str, str]] = set()
        self.literals: List[Any] = []
        self.events = 0

    def run(self, work: Callable[[], Any]) -> Any:
        """Do some work, watching."""
        monitoring = getattr(sys, "monitoring", None)
        tool = monitoring and next((one for one in (3, 4) if monitoring.get_tool(one) is None), None)
        if tool:
            return self._monitored(monitoring, tool, work)
        before = sys.gettrace()
        sys.settrace(self._traced)
        try:
            return work()
        finally:
            sys.settrace(before)

    def _traced(self, frame: Any, event: str, _argument: Any) -> Any:
        """Follow the frames of the watched code and no others."""
        if id(frame.f_code) not in self.codes:
            return None
        if event == "call":
            self._entered(frame)
        elif event == "line":
            self.lines.add(frame.f_lineno + self.first)
        self._seen(frame)
        return self._traced

    def _monitored(self, monitoring: Any, tool: int, work: Callable[[], Any]) -> Any:
        def line(_code: Any, number: int) -> Any:
            self.lines.add(number + self.first)
            self._seen(sys._getframe(1))
            # Enough has been seen of the values: from now on each line is wanted once.
            return monitoring.DISABLE if self.events > EVENTS else None

        def start(_code: Any, _offset: int) -> None:
            self._entered(sys._getframe(1))

        def end(_code: Any, _offset: int, _value: Any) -> None:
            self._seen(sys._getframe(1))

        events = monitoring.events
        monitoring.use_tool_id(tool, "certo")
        try:
            for event, callback in ((events.LINE, line), (events.PY_START, start), (events.PY_RETURN, end)):
                monitoring.register_callback(tool, event, callback)
            for code in self.codes.values():
                monitoring.set_local_events(tool, code, events.LINE | events.PY_START | events.PY_RETURN)
            return work()
        finally:
            for code in self.codes.values():
                monitoring.set_local_events(tool, code, 0)
            for event in (events.LINE, events.PY_START, events.PY_RETURN):
                monitoring.register_callback(tool, event, None)
            monitoring.free_tool_id(tool)

    def _entered(self, frame: Any) -> None:
        """Note the literals of whoever calls the watched code: what a test gives and what it wants."""
        caller = frame.f_back
        if caller is not None and id(caller.f_code) not in self.codes and len(self.literals) < MOST_LITERALS:
            for literal in _scalars(caller.f_code.co_consts):
                if literal not in self.literals and len(self.literals) < MOST_LITERALS:
                    self.literals.append(literal)

    def _seen(self, frame: Any) -> None:
        """Note what kinds of values the variables of a frame hold."""
        self.events += 1
        if self.events > EVENTS and self.events % 997:
            return
        for name, value in list(frame.f_locals.items()):
            kind = type(value).__name__
            self.kinds.add((frame.f_code.co_name, name, kind))
            if not _is_plain(type(value)) and len(self.attributes) < MOST_ATTRIBUTES:
                held = getattr(value, "__dict__", {})
                own = list(held) + list(getattr(type(value), "__slots__", ()))
                self.attributes.update((kind, attribute) for attribute in own if not attribute.startswith("__"))
                for attribute in list(held)[:MOST_PARTS]:
                    part = "{}.{}".format(name, attribute)
                    self.kinds.add((frame.f_code.co_name, part, type(held[attribute]).__name__))


def _is_plain(kind: type) -> bool:
    """Whether it is one of those, and not a class of the project's that has its name."""
    return kind.__name__ in PLAIN and kind.__module__ in ("builtins", "types", "collections")


def _scalars(constants: Any) -> Iterator[Any]:
    """The numbers and short texts among constants, those in tuples included."""
    for one in constants:
        if isinstance(one, (tuple, frozenset)):
            yield from _scalars(sorted(one, key=repr))
        elif type(one) in (int, float) or (type(one) is str and len(one) <= LONGEST_LITERAL):
            yield one
