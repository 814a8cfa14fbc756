"""One watched run of every check on the original code: which lines, which values, how it ended, how many steps.

Lines feed fault localisation; the kinds of values the variables held tell the templates what fits where.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Dict, List, Set, Tuple

from certo_builtin.forks import each
from certo_builtin.trial import LOST, Bench

FUEL = 60000
SECONDS = 8.0
EVENTS = 400
"""Locals are looked at on each of so many line events of a check, and on every 997th thereafter."""

PLAIN = frozenset({
    "int", "str", "list", "dict", "set", "tuple", "float", "bool", "NoneType", "function", "module", "type", "range",
    "builtin_function_or_method", "generator", "deque", "defaultdict", "Counter", "method", "map", "filter", "zip",
    "enumerate", "complex", "bytes", "frozenset", "OrderedDict",
})  # fmt: skip
"""Kinds of values whose attributes are not the project's."""


class Trace:
    """What was seen: per check its ending, steps, seconds, lines; per function and variable the kinds of its values."""

    def __init__(self) -> None:
        self.endings: List[str] = []
        self.used: List[int] = []
        self.seconds: List[float] = []
        self.lines: List[Set[int]] = []
        self.kinds: Dict[str, Dict[str, Set[str]]] = {}
        self.attributes: Dict[str, Set[str]] = {}

    def add(self, seen: Dict[str, Any]) -> None:
        """Take in what a child saw while it ran one check."""
        self.endings.append(seen["ending"])
        self.used.append(seen["used"])
        self.seconds.append(seen["seconds"])
        self.lines.append(set(seen["lines"]))
        for function, variable, kind in seen["kinds"]:
            self.kinds.setdefault(function, {}).setdefault(variable, set()).add(kind)
        for kind, name in seen["attributes"]:
            self.attributes.setdefault(kind, set()).add(name)


class _Watch:
    """The trace function of one check."""

    def __init__(self, bench: Bench) -> None:
        self.codes = {id(code) for code in bench.graft.codes}
        self.first = bench.graft.first
        self.lines: Set[int] = set()
        self.kinds: Set[Tuple[str, str, str]] = set()
        self.attributes: Set[Tuple[str, str]] = set()
        self.events = 0

    def __call__(self, frame: Any, event: str, _argument: Any) -> Any:
        """Follow the frames of the code under repair and no others."""
        if id(frame.f_code) not in self.codes:
            return None
        if event == "line":
            self.lines.add(frame.f_lineno + self.first)
        self.events += 1
        if self.events < EVENTS or self.events % 997 == 0:
            self._note(frame)
        return self

    def _note(self, frame: Any) -> None:
        for name, value in list(frame.f_locals.items()):
            kind = type(value).__name__
            self.kinds.add((frame.f_code.co_name, name, kind))
            if kind not in PLAIN and len(self.attributes) < 100:
                own = list(getattr(value, "__dict__", ())) + list(getattr(type(value), "__slots__", ()))
                self.attributes.update((kind, attribute) for attribute in own if not attribute.startswith("__"))


def traced(bench: Bench) -> Trace:
    """Run each check once under a trace function; a check that hangs or dies counts as failed on every line."""

    def work(index: int) -> Dict[str, Any]:
        bench.graft.try_on(())
        watch = _Watch(bench)
        begun = time.monotonic()
        sys.settrace(watch)
        try:
            ending = bench.run_check(index, FUEL, SECONDS)
        finally:
            sys.settrace(None)
        return {
            "ending": ending,
            "used": bench.meter.used,
            "seconds": time.monotonic() - begun,
            "lines": sorted(watch.lines),
            "kinds": sorted(watch.kinds),
            "attributes": sorted(watch.attributes),
        }

    trace = Trace()
    lost = {"ending": LOST, "used": FUEL, "seconds": SECONDS, "lines": [], "kinds": [], "attributes": []}
    for _, seen in each(work, range(len(bench.checks)), SECONDS + 2.0, bench.deadline):
        trace.add(seen or lost)
    return trace
