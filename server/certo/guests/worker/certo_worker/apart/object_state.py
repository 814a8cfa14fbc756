"""The state of the candidate's objects as plain data, from which the test process rebuilds them as twins."""

from __future__ import annotations

import collections
import types
from typing import Any, Callable, Dict, Iterable, List, Tuple

from certo_worker.apart import containers
from certo_worker.apart.object_stubs import STUBS

MAX_ITEMS = 2_000
"""Objects in one answer."""

_OF_PYTHON = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: the flag of classes that a class statement or `type()` made."""

_VALUES: Tuple[Tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__pos__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (bytearray, lambda value: bytearray(bytearray.__getitem__(value, slice(None)))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (list, lambda value: list(list.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
    (collections.deque, lambda value: list(collections.deque.__iter__(value))),
    (dict, lambda value: {key: dict.__getitem__(value, key) for key in dict.__iter__(value)}),
    (type({}.keys()), list),
    (type({}.values()), list),
    (type({}.items()), list),
    (types.MappingProxyType, dict),
)
"""Builtin classes that users derive from, and the last four, whose objects have no form on the wire.

Each comes with a function that returns the builtin value of an instance. It calls the methods of the builtin class, so
that no override of a subclass can report another value than the instance holds.
"""

_NO_STATE = (type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType, BaseException)


def states(things: Iterable[Any]) -> List[List[Any]]:
    """Return the states of objects and of all objects they contain, inner ones first.

    Each state is a list of three: the object, its builtin value or None, and its attributes by name. Inner objects come
    first so that the receiver has the items of a tuple, say, when it makes the tuple.

    Raises:
        ValueError: there are too many objects.
    """
    found: List[List[Any]] = []
    seen: Dict[int, Any] = {}
    waiting: List[Tuple[Any, Any]] = [(thing, None) for thing in things]
    while waiting:
        each, told = waiting.pop()
        if told is not None:
            found.append(told)
            continue
        if id(each) in seen:
            continue
        seen[id(each)] = each
        if len(seen) > MAX_ITEMS * 10:
            raise ValueError("they lead to too many objects")
        if type(each) in containers.TAGS or type(each) in (tuple, frozenset):
            waiting += [(inner, None) for inner in containers.contents(each)]
        elif has_state(each):
            told = [each, _value(each), attributes(each)]
            waiting += [(each, told), *((inner, None) for inner in told[1:])]
    if len(found) > MAX_ITEMS:
        raise ValueError("they lead to too many objects")
    return found


def has_state(thing: Any) -> bool:
    """True if an object has a state to send; functions, classes, modules and exceptions have none.

    Neither have stubs of the tests' objects, for which the receiver has the objects themselves.
    """
    kind = type(thing)
    if isinstance(thing, _NO_STATE) or any(stub in kind.__mro__ for stub in STUBS):
        return False
    return bool(kind.__flags__ & _OF_PYTHON) or kind is types.SimpleNamespace or kind in dict(_VALUES[-4:])


def _value(thing: Any) -> Any:
    for kind, take in _VALUES:
        if kind in type(thing).__mro__:
            return take(thing)
    return None


def attributes(thing: Any) -> Dict[str, Any]:
    """Return the contents of an object's `__dict__` and of its slots, without calling code of its class."""
    found: Dict[str, Any] = {}
    for kind in type(thing).__mro__:
        if kind.__flags__ & _OF_PYTHON:
            for name, slot in vars(kind).items():
                if type(slot) is types.MemberDescriptorType:
                    try:
                        found[name] = slot.__get__(thing)
                    except AttributeError:
                        continue  # the slot has not been set
    try:
        own = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        own = {}
    return {**found, **{name: value for name, value in dict(own).items() if type(name) is str}}
