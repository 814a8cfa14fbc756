"""The world in which each call begins: the same time, random numbers, environment, globals, and an empty directory.

What a call leaves in it belongs to its outcome: the globals that the function names, the environment, and the files in
the directory.
"""

from __future__ import annotations

import copy
import datetime
import dis
import io
import os
import random
import sys
import tempfile
import time
import types
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple

from certo_builtin.differential.value_view import View, cut

NOW = 1_600_000_000.0
"""Seconds since 1970 at which each call begins."""

OTHER_TIMES = 41_234_567.0
"""Seconds between the beginnings of calls in one world and in the next: another year, weekday and time of day."""

STEP = 0.001
"""Seconds that pass from one question for the time to the next."""

MAX_FILES = 20

MAX_HELD = 100
"""Maximum number of elements of a container that only functions called name."""

_CONTAINERS = (list, dict, set)
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_PRESENTS = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}
"""Functions of `time` that take the present if its argument, at this place, is left out."""

_length = len


class _Clock:
    """A clock that moves when it is asked, or slept on."""

    def __init__(self) -> None:
        self.now = NOW

    def seconds(self) -> float:
        self.now += STEP
        return self.now

    def nanoseconds(self) -> int:
        return int(self.seconds() * 1e9)

    def sleep(self, seconds: float) -> None:
        self.now += max(0.0, float(seconds))


class World:
    """Control of what functions read besides their arguments; `namespaces` are the modules of the function.

    With another `number` it is another time, and other random numbers are drawn.
    """

    def __init__(self, namespaces: List[Dict[str, Any]]) -> None:
        self.number = 0
        self._namespaces = namespaces
        self._clock = _Clock()
        self._environment: Dict[str, str] = {}
        self._directory = ""
        self._held: List[Tuple[Dict[str, Any], str, Any]] = []
        self._before: List[str] = []
        self._own = 0
        self._left: Optional[Set[int]] = None

    def watch(self, codes: Iterable[types.CodeType]) -> None:
        """Compare from now on the plain globals that these codes name, or functions they call may change."""
        own = set(codes)
        named = {name for code in own for name in code.co_names}
        self._held = []
        for namespace in self._namespaces:
            for name in sorted(named & namespace.keys() | _changed_by_others(own, namespace)):
                value = namespace[name]
                if self._left is not None and (type(value) not in _CONTAINERS or id(value) in self._left):
                    continue
                if type(value) in _CONTAINERS or type(value) in (int, float, str, bool, type(None), tuple):
                    try:
                        self._held.append((namespace, name, copy.deepcopy(value)))
                    except Exception:  # what the container holds may not be copied
                        continue

    def enter(self) -> None:
        """Take control, in this process for good."""
        self._own = os.getpid()
        self._environment = dict(os.environ)
        self._directory = tempfile.mkdtemp()
        os.chdir(self._directory)
        sys.stdin = io.StringIO("")
        clock = self._clock
        replaced: Dict[int, Any] = {}
        for name in _CLOCKS:
            for ending, function in (("", clock.seconds), ("_ns", clock.nanoseconds)):
                self._replace(time, name + ending, function, replaced)
        self._replace(time, "sleep", clock.sleep, replaced)
        for name, place in _PRESENTS.items():
            self._replace(time, name, _at_present(getattr(time, name), place, clock), replaced)
        self._replace(os, "urandom", _urandom, replaced)
        setattr(random, "_urandom", _urandom)  # noqa: B010 - its stub does not have it
        self._replace(datetime, "datetime", _frozen_datetime(clock), replaced)
        self._replace(datetime, "date", _frozen_date(clock), replaced)
        for namespace in self._namespaces:
            for name, value in list(namespace.items()):
                if id(value) in replaced and not name.startswith("__"):
                    namespace[name] = replaced[id(value)]

    @staticmethod
    def _replace(module: Any, name: str, new: Any, replaced: Dict[int, Any]) -> None:
        if hasattr(module, name):
            replaced[id(getattr(module, name))] = new
            setattr(module, name, new)

    def reset(self) -> None:
        """Put everything back as it was when control was taken."""
        if self._own != os.getpid():
            self.enter()
        self._clock.now = NOW + self.number * OTHER_TIMES
        random.seed(self.number)
        numpy = sys.modules.get("numpy")
        if numpy is not None and hasattr(numpy, "random"):
            numpy.random.seed(self.number)
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        for namespace, name, value in self._held:
            _restore(namespace, name, value)
        self._before = [View(namespace.get(name)).state for namespace, name, _ in self._held]

    def leave(self, known: Set[int]) -> None:
        """Look no more after plain values, and the containers of these identities: `Surroundings` does."""
        self._left = known

    def left(self) -> str:
        """Return the globals, variables and files that the call has changed, as text; empty if there are none."""
        return cut("; ".join(self.changes()))

    def changes(self) -> List[str]:
        """Return the same, one by one."""
        said = []
        for (namespace, name, _), before in zip(self._held, self._before):
            state = View(namespace.get(name)).state
            if state != before:
                said.append("{} = {}".format(name, state))
        if os.environ != self._environment:
            now = dict(os.environ)
            names = sorted(name for name in {*now, *self._environment} if now.get(name) != self._environment.get(name))
            said += ["{} = {!r} in the environment".format(name, now.get(name)) for name in names]
        return [*said, *self._files()]

    def _files(self) -> Iterator[str]:
        try:
            if os.getcwd() != self._directory:
                os.chdir(self._directory)
            names = sorted(os.listdir(self._directory))
        except OSError:
            return
        for name in names[:MAX_FILES]:
            try:
                with open(name, "rb") as opened:
                    content = opened.read(100_000)
                os.remove(name)
            except OSError:
                yield "{} is made".format(name)
                continue
            yield "{} is written: {}".format(name, cut(repr(content)))


def _changed_by_others(codes: Set[types.CodeType], namespace: Dict[str, Any]) -> Set[str]:
    """Return globals that functions of the same module, which these codes lead to, may change.

    Large containers are left out, for they are most often tables, and are looked at before and after each call.
    """
    pending, seen, found = list(codes), set(codes), set()
    while pending:
        code = pending.pop()
        within = [one for one in code.co_consts if isinstance(one, types.CodeType)]
        values = [namespace[name] for name in code.co_names if name in namespace]
        more = {*within, *(inner for value in values for inner in _codes_of(value, namespace))} - seen
        seen |= more
        pending += more
    for code in seen - codes:
        found |= {one.argval for one in dis.get_instructions(code) if one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")}
        found |= {name for name in code.co_names if type(namespace.get(name)) in _CONTAINERS}
    held = {name for name in found & namespace.keys() if type(namespace[name]) in _CONTAINERS}
    return found & namespace.keys() - {name for name in held if _length(namespace[name]) > MAX_HELD}


def _codes_of(value: Any, namespace: Dict[str, Any]) -> Iterator[types.CodeType]:
    """Yield the codes of a function of the module, or of the methods of its class."""
    kind = type(value)
    if kind is types.FunctionType:
        if value.__globals__ is namespace:
            yield value.__code__
    elif kind is type and value.__module__ == namespace.get("__name__"):
        for one in vars(value).values():
            inner = one.fget if type(one) is property else getattr(one, "__func__", one)
            if type(inner) is types.FunctionType:
                yield inner.__code__


def _restore(namespace: Dict[str, Any], name: str, value: Any) -> None:
    """Give a global its value again: a container keeps its identity, because others may hold it."""
    current: Any = namespace.get(name)
    if type(value) not in _CONTAINERS or type(current) is not type(value):
        namespace[name] = copy.deepcopy(value)
        return
    if current == value and _length(current) == 0:
        return
    fresh: Any = copy.deepcopy(value)
    current.clear()
    (current.extend if type(current) is list else current.update)(fresh)


def _urandom(size: int) -> bytes:
    return random.getrandbits(8 * size).to_bytes(size, "big") if size else b""


def _at_present(real: Callable[..., Any], place: int, clock: _Clock) -> Callable[..., Any]:
    """Return a function of `time` for which the present is the clock's."""
    in_parts, takes_parts = time.localtime, real.__name__ in ("asctime", "strftime")

    def told(*given: Any) -> Any:
        if len(given) == place + 1 and given[place] is None and not takes_parts:
            given = given[:place]
        if len(given) == place:
            given += (in_parts(clock.seconds()) if takes_parts else clock.seconds(),)
        return real(*given)

    return told


def _frozen_datetime(clock: _Clock) -> Any:
    """Return the class `datetime` whose present is the clock's."""
    present = {
        "now": classmethod(lambda cls, tz=None: cls.fromtimestamp(clock.seconds(), tz)),
        "today": classmethod(lambda cls: cls.fromtimestamp(clock.seconds())),
        "utcnow": classmethod(lambda cls: cls.utcfromtimestamp(clock.seconds())),
    }
    return _disguised(datetime.datetime, present)


def _frozen_date(clock: _Clock) -> Any:
    """Return the class `date` whose present is the clock's."""
    return _disguised(datetime.date, {"today": classmethod(lambda cls: cls.fromtimestamp(clock.seconds()))})


def _disguised(real: type, methods: Dict[str, Any]) -> Any:
    """Return a subclass under the name of its base, for which objects of the base count as its own."""
    checks = {
        "__instancecheck__": lambda _, one: isinstance(one, real),
        "__subclasscheck__": lambda _, one: issubclass(one, real),
    }
    kind: Callable[..., Any] = type("type", (type,), checks)
    names = {"__module__": real.__module__, "__qualname__": real.__qualname__}
    return kind(real.__name__, (real,), {**methods, **names})
