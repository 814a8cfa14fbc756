"""Spectrum-based fault localization: one observed run of every check on the original code.

The lines that failing and passing checks run give each line its suspicion, by the Ochiai coefficient (Abreu, Zoeteweij,
van Gemund, "On the accuracy of spectrum-based fault localization", 2007). The same run records the types of variables'
values, by which templates choose fitting parts, and the steps and seconds of each check.
"""

from __future__ import annotations

import builtins
import math
import opcode
import sys
from collections import Counter
from itertools import islice
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from certo_builtin.execution.allowance import Stopwatch
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.runner import FAILED, LOST, PASSED, CandidateRunner
from certo_builtin.execution.unasked_values import is_exception, parts_of, parts_of_module
from certo_worker.suite import hypothesis_support

MAX_SAMPLED_EVENTS = 400
"""Locals are read at each of the first line events of a check up to this number, then at every 997th."""

PLAIN = frozenset({
    "int", "str", "list", "dict", "set", "tuple", "float", "bool", "NoneType", "function", "module", "type", "range",
    "builtin_function_or_method", "generator", "deque", "defaultdict", "Counter", "method", "map", "filter", "zip",
    "enumerate", "complex", "bytes", "frozenset", "OrderedDict",
})  # fmt: skip
"""Types whose attributes are not the project's."""

MAX_ATTRIBUTES = 100
MAX_PARTS = 12
"""Maximum number of attributes of one object whose types are recorded."""

MAX_LITERALS = 24
MAX_LITERAL = 40
MAX_GIVEN = 12
MAX_NUMBER = 10**6
"""Bounds of the literals that are read from a test: all, the length of one, those of parameters, their size."""


class Watch:
    """Observer of some code objects; `first` is added to their lines."""

    def __init__(self, codes: List[Any], first: int) -> None:
        self.codes = {id(code): code for code in codes}
        self.first = first
        self.lines: Set[int] = set()
        self.kinds: Set[Tuple[str, str, str]] = set()
        self.attributes: Set[Tuple[str, str]] = set()
        self.bases: Dict[str, List[str]] = {}
        self.literals: List[Any] = []
        self.expected: List[str] = []
        self.entered = 0
        self.events = 0

    def run(self, work: Callable[[], Any]) -> Any:
        """Run `work` under observation."""
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
        """Trace the frames of the watched code and no others."""
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
            # Enough values have been seen: from now on each line is reported once.
            return monitoring.DISABLE if self.events > MAX_SAMPLED_EVENTS else None

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
        """Record what a test says: the literals in its code and in that of the caller, and the exceptions it names."""
        caller = frame.f_back
        self.entered += 1
        if self.entered > MAX_ENTERED or caller is None or id(caller.f_code) in self.codes:
            return
        said = _test_code(frame)
        written = map(_constants, dict.fromkeys([caller.f_code, *said]))
        self.literals = _joined(self.literals, (one for each in written for one in _scalars(each)))[:MAX_LITERALS]
        names = [
            found for code in said for name in code.co_names for found in [_expected(frame.f_globals, name)] if found
        ]
        self.expected += [name for name in dict.fromkeys(names) if name not in self.expected]

    def _seen(self, frame: Any) -> None:
        """Record the types of the values that the variables of a frame hold."""
        self.events += 1
        # A prime stride does not fall in step with a loop whose iterations have equally many events.
        if self.events > MAX_SAMPLED_EVENTS and self.events % 997:
            return
        for name, value in list(frame.f_locals.items()):
            kind = type(value).__name__
            self.kinds.add((frame.f_code.co_name, name, kind))
            if _is_plain(type(value)):
                continue
            if kind not in self.bases and len(self.bases) < MAX_ATTRIBUTES:
                self.bases[kind] = [base.__name__ for base in type(value).__mro__[1:-1]]
            if len(self.attributes) < MAX_ATTRIBUTES:
                held = parts_of(value)
                own = list(held) + list(getattr(type(value), "__slots__", ()))
                self.attributes.update((kind, attribute) for attribute in own if not attribute.startswith("__"))
                for attribute in list(held)[:MAX_PARTS]:
                    part = "{}.{}".format(name, attribute)
                    self.kinds.add((frame.f_code.co_name, part, type(held[attribute]).__name__))


MAX_ENTERED = 50
"""Number of calls of the observed code whose callers are read."""

MAX_CALLERS = 60
"""Maximum number of frames between the observed code and its test."""

RUNNERS = frozenset({"_pytest", "pluggy", "certo_builtin", "certo_worker"})
"""Modules that call tests."""

HELPERS = frozenset({"unittest", "contextlib"})
"""Modules that a test calls so that they call the observed code."""

TOO_GENERAL = frozenset({"BaseException", "Exception", "AssertionError", "KeyboardInterrupt", "SystemExit"})


def _test_code(frame: Any) -> List[Any]:
    """Return the code of the test that called this frame, and of its helpers in the same file."""
    found: List[Any] = []
    caller = frame.f_back
    for _ in range(MAX_CALLERS):
        home = str(caller.f_globals.get("__name__", "")).partition(".")[0] if caller is not None else ""
        if caller is None or home in RUNNERS:
            break
        if home not in HELPERS:
            found.append(caller.f_code)
        caller = caller.f_back
    return [code for code in found if code.co_filename == found[-1].co_filename]


def _expected(known: Dict[str, Any], name: str) -> str:
    """Return how an exception that a test mentions is written where the target is; empty if it is none there."""
    if name in TOO_GENERAL:
        return ""
    if is_exception(known.get(name, getattr(builtins, name, None))):
        return name
    if not name[:1].isupper():
        # Many modules have an `error`, and a test may mean something else by it.
        return ""
    modules = [(alias, parts_of_module(value)) for alias, value in known.items()]
    return next(("{}.{}".format(alias, name) for alias, held in modules if is_exception(held.get(name))), "")


def _handled(error: BaseException, known: Dict[str, Any]) -> str:
    """Return how an exception is written where the target is, or the nearest base class of it that is known there."""
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ not in TOO_GENERAL]
    return next(filter(None, (_expected(known, name) for name in kinds)), type(error).__name__)


def _is_plain(kind: type) -> bool:
    """True if it is one of the plain types, and not a class of the project with the same name."""
    return kind.__name__ in PLAIN and kind.__module__ in ("builtins", "types", "collections")


_SMALL_INTEGER = opcode.opmap.get("LOAD_SMALL_INT")
"""From Python 3.14 on this instruction holds an integer up to 255, which is no constant of the code then."""


def _constants(code: Any) -> Tuple[Any, ...]:
    """Return the constants that are written in code."""
    steps = zip(code.co_code[::2], code.co_code[1::2]) if _SMALL_INTEGER is not None else ()
    return (*code.co_consts, *(argument for step, argument in steps if step == _SMALL_INTEGER))


def _scalars(constants: Any) -> Iterator[Any]:
    """Yield the numbers and short texts among constants, those in tuples included."""
    for one in constants:
        if type(one) in (tuple, frozenset):
            yield from sorted(_scalars(one), key=repr)
        elif type(one) in (int, float) or (type(one) in (str, bytes) and len(one) <= MAX_LITERAL):
            yield one


def _given(parameters: Iterable[Any]) -> Iterator[Any]:
    """Yield the short texts and small numbers among a test's parameters.

    Not those of its variables: a port, a token or a temporary name is another in each run, and the edits would be too.
    """
    for held in parameters:
        for one in held[:MAX_GIVEN] if type(held) in (tuple, list) else (held,):
            if (type(one) is int and abs(one) <= MAX_NUMBER) or (type(one) in (str, bytes) and len(one) <= MAX_LITERAL):
                yield one


def _joined(literals: Iterable[Any], others: Iterable[Any]) -> List[Any]:
    """Return literals and others, each once by its type and value."""
    return list({(type(one), one): one for one in (*literals, *others)}.values())


FUEL = 60000
"""Maximum number of steps of each check under observation."""

SECONDS = 8.0
"""Maximum time of a check, for code that is slow without making steps; each one that hangs halves it for the next."""

MIN_SECONDS = 1.0


class Trace:
    """Observations of a run: each check's ending, steps, seconds, lines; the types of each variable's values.

    `kinds` has the types seen in all checks, `usual_kinds` those in passing ones; `bases` has the base classes of a
    type, nearest first, without `object`.

    Seconds leave out the time that the process waited for a processor: a check that is slow only on a busy machine is
    not sluggish. `literals` are the numbers and short texts in the code of the failing checks and then among their
    parameters, `expected` are the exceptions that the code names, `raised` those that ended a failing check;
    `characters` is True if Hypothesis had to build its tables of them.
    """

    def __init__(self) -> None:
        self.endings: List[str] = []
        self.used: List[int] = []
        self.seconds: List[float] = []
        self.lines: List[Set[int]] = []
        self.kinds: Dict[str, Dict[str, Set[str]]] = {}
        self.usual_kinds: Dict[str, Dict[str, Set[str]]] = {}
        self.bases: Dict[str, List[str]] = {}
        self.attributes: Dict[str, Set[str]] = {}
        self.literals: List[Any] = []
        self.expected: List[str] = []
        self.raised: List[str] = []
        self.characters = False

    def add(self, seen: Dict[str, Any]) -> None:
        """Add the observations of a child that ran one check."""
        self.endings.append(seen["ending"])
        self.used.append(seen["used"])
        self.seconds.append(seen["seconds"])
        self.lines.append(set(seen["lines"]))
        self.characters = self.characters or seen["characters"]
        for function, variable, kind in seen["kinds"]:
            self.kinds.setdefault(function, {}).setdefault(variable, set()).add(kind)
            if seen["ending"] == PASSED:
                self.usual_kinds.setdefault(function, {}).setdefault(variable, set()).add(kind)
        self.bases.update(seen["bases"])
        for kind, name in seen["attributes"]:
            self.attributes.setdefault(kind, set()).add(name)
        if seen["ending"] != PASSED:
            # Bytes come as a text in a list: JSON has none.
            literals = (one[0].encode("latin-1") if isinstance(one, list) else one for one in seen["literals"])
            self.literals = _joined(self.literals, literals)
            self.expected += [one for one in seen["expected"] if one not in self.expected]
            self.raised += [one for one in seen["raised"] if one not in self.raised]


def traced(runner: CandidateRunner) -> Trace:
    """Run each check once under observation; a check that hangs or dies has no lines of its own."""
    trace = _traced(runner)
    if trace.characters and not hypothesis_support.were_made():
        # From now on no child has to build them, and no check is sluggish for that.
        hypothesis_support.make()
        trace = _traced(runner)
    return trace


def _traced(runner: CandidateRunner) -> Trace:

    limit = SECONDS

    def work(index: int) -> Dict[str, Any]:
        nonlocal limit
        runner.hot_swap.try_on(())
        watch = Watch(runner.hot_swap.codes, runner.hot_swap.first)
        stopwatch = Stopwatch()
        ending = watch.run(lambda: runner.run_check(index, FUEL, limit))
        seconds = stopwatch.seconds
        stopwatch.close()
        # Without this, a bug that makes many tests hang would take all of the search's time before the first edit.
        limit = max(MIN_SECONDS, limit / 2) if ending == LOST else limit
        known = next(iter(runner.hot_swap.namespaces), {})
        raised = [_handled(runner.raised, known)] if ending == FAILED and runner.raised is not None else []
        missing = runner.raised.args if ending == FAILED and isinstance(runner.raised, KeyError) else ()
        given = islice(_given(runner.checks[index].parameters), MAX_GIVEN)
        literals = _joined(_scalars(missing), _joined(watch.literals, given)[:MAX_LITERALS])
        return {
            "ending": ending,
            "outcome": runner.outcome(ending),
            "used": runner.meter.used,
            "seconds": seconds,
            "lines": sorted(watch.lines),
            "kinds": sorted(watch.kinds),
            "attributes": sorted(watch.attributes),
            "bases": watch.bases,
            "literals": [[one.decode("latin-1")] if type(one) is bytes else one for one in literals],
            "expected": watch.expected,
            "raised": raised,
            "characters": hypothesis_support.were_made(),
        }

    trace = Trace()
    lost = {"ending": LOST, "used": FUEL, "seconds": SECONDS, "lines": [], "kinds": [], "bases": {}}
    lost.update({"attributes": [], "literals": [], "expected": [], "raised": [], "characters": False})
    for index, seen in each(work, range(len(runner.checks)), SECONDS + 2.0, runner.allowance):
        trace.add(seen or lost)
        if seen:
            runner.in_turn[index] = tuple(seen["outcome"])
    return trace


MIN_SUSPICION = 0.02
"""Suspicion, relative to the highest, of a line that no failing check ran: code before it may be missing."""


class Suspicion:
    """Suspicion from 0 to 1 by line of the document, by Ochiai.

    That is failed(line) / sqrt(all failed * (failed(line) + passed(line))), in numbers of checks that ran the line. Of
    passing checks that ran the same lines, each further one counts less: a project has hundreds that take one way, and
    they would acquit every line that all checks run, such as the condition that is wrong (Hao et al., "Eliminating
    harmful redundancy for testing-based fault localization", 2005).
    """

    def __init__(self, lines: Sequence[Set[int]], endings: Sequence[str]) -> None:
        failures = sum(ending != PASSED for ending in endings)
        self.by_line: Dict[int, float] = {}
        ways = Counter(frozenset(ran) for ran, ending in zip(lines, endings) if ending == PASSED)
        # Ochiai rather than Tarantula (Jones, Harrold, "Empirical evaluation of the Tarantula automatic
        # fault-localization technique", 2005): a line that one of many failing checks runs, and no passing one, gets
        # the maximum from Tarantula, but little from Ochiai, whose first factor counts the failing checks that miss it.
        for line in sorted(set().union(*lines)):
            failed = sum(line in ran and ending != PASSED for ran, ending in zip(lines, endings))
            passed = sum(1 + math.log2(number) for ran, number in ways.items() if line in ran)
            self.by_line[line] = failed / math.sqrt(failures * (failed + passed)) if failed else 0.0
        self.highest = max(self.by_line.values(), default=0.0) or 1.0

    def of(self, first: int, last: int) -> float:
        """Return the suspicion of the most suspicious of these lines, and at least the least one that there is."""
        seen = [self.by_line.get(line, 0.0) for line in range(first, last + 1)]
        return max([MIN_SUSPICION * self.highest, *seen])

    def seen(self, lines: Iterable[int]) -> Optional[float]:
        """Return the suspicion of the most suspicious of these lines; None if no failing check ran any of them."""
        return max((self.by_line.get(line, 0.0) for line in lines), default=0.0) or None
