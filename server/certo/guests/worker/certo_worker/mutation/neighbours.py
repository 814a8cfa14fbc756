"""Neighbours of a value: wrong results of the same type and truth value, for mutants of the target.

A mutant that returns None or crashes is noticed by nearly every test, even by one that only calls the target or asserts
`result`. A neighbour passes these weak assertions, so only a test that looks at the value notices it.

There are three ways to choose a neighbour, because each one escapes some honest test, and a test that notices any
counts as one that depends on the result:

* Way 0 adds a little: one more, one character, one item. A tolerance, a search for a substring, `>=` or `in` accept it.
* Way 1 goes to the other side: a negative number, reversed text, another order, other keys. A test of an upper bound,
  or one that sorts first, accepts it.
* Way 2 goes far away, or keeps only one item. A test of the sign accepts it. The `salt` depends on the arguments of the
  call, so that a test which compares two results with each other notices them too.

A value has the same neighbour each time, so a test that only compares the results of one call made twice does not
notice the mutant. A neighbour that is `alike` has as many items or characters as the value: only a test that looks at
the items notices it.
"""

from __future__ import annotations

import collections
import copy
import datetime
import decimal
import enum
import fractions
import inspect
import pathlib
import types
from typing import Any, Callable, Dict, List, Type

from certo_worker.canary.wrong_values import array_or_frame
from certo_worker.mutation.agreeable_item import AGREEABLE
from certo_worker.mutation.stand_ins import Twin, altered_awaitable, altered_callable, altered_items, altered_later

_FILL = 40
_INEXACT = (float, decimal.Decimal)


def _number(value: Any, way: int, salt: int) -> Any:
    if value != value or value in (float("inf"), float("-inf")):
        return type(value)(way)
    if way == 0:
        return value + ((abs(value) / 2 or 1) if type(value) in _INEXACT else 1)
    return -value - 1 if way == 1 else value * 10 + 7 + salt


def number(value: Any, way: int, salt: int) -> Any:
    """Return another number: a little larger, on the other side of zero, or much larger, varied by `salt`."""
    try:
        other = _number(value, way, salt)
    except ArithmeticError:
        other = type(value)(way)
    # A true number stays true; the neighbour of zero may be any other number.
    return other if bool(other) or not value else type(value)(5)


def _text(value: Any, way: int, salt: int, one: Any, fill: Any, digits: Any) -> Any:
    if way == 0:
        return value + one
    return fill + value[::-1].swapcase() + fill * _FILL if way == 1 else fill + digits(salt)


def _as_long(value: Any, way: int, one: Any, other: Any) -> Any:
    """Return another text of the same length."""
    text = value[::-1].swapcase() if way == 1 else (one if way == 0 else other) * len(value)
    return text if text != value else (one if value[:1] == other else other) * len(value)


def _days(value: Any, way: int, salt: int) -> Any:
    try:
        return value + datetime.timedelta(days=(1, -400, 4000 + salt)[way], seconds=3661 * (way + 1))
    except OverflowError:
        return value - datetime.timedelta(days=1 + way)


def _date(value: Any, way: int, salt: int) -> Any:
    try:
        return value + datetime.timedelta(days=(1, -400, 4000 + salt)[way])
    except OverflowError:
        return value - datetime.timedelta(days=1 + way)


def _path(value: Any, way: int, _salt: int) -> Any:
    return value / "x" if way == 0 else type(value)("x") if way == 1 else value.parent / "x" / "y"


SCALARS: Dict[type, Callable[[Any, int, int], Any]] = {
    bool: lambda value, _way, _salt: not value,
    int: number,
    float: number,
    complex: lambda value, way, salt: (value + 1, -value - 1, value * 10 + 7 + salt)[way] or 5j,
    decimal.Decimal: number,
    fractions.Fraction: number,
    str: lambda value, way, salt: _text(value, way, salt, "x", "#", str),
    bytes: lambda value, way, salt: _text(value, way, salt, b"x", b"#", lambda one: str(one).encode()),
    bytearray: lambda value, way, salt: bytearray(_text(bytes(value), way, salt, b"x", b"#", lambda _: b"0")),
    datetime.date: _date,
    datetime.datetime: _days,
    datetime.timedelta: lambda value, way, _salt: value * 2 + datetime.timedelta(1) if way != 1 else -value * 3,
    datetime.time: lambda value, way, _salt: value.replace(hour=(value.hour + 1 + way) % 24),
    type(pathlib.Path()): _path,
    pathlib.PurePosixPath: _path,
    pathlib.PureWindowsPath: _path,
}
"""By type, a function of a value, a way and a salt that returns the neighbour."""

TEXTS: Dict[type, Callable[[Any, int], Any]] = {
    str: lambda value, way: _as_long(value, way, "x", "#"),
    bytes: lambda value, way: _as_long(value, way, b"x", b"#"),
}
"""By type, a function of a text and a way that returns another text of the same length."""


WAYS = 3
"""The number of ways."""

_MAX_DEPTH, _MAX_ITEMS = 4, 4000


class _Something:
    """The class of the object that replaces None."""


_SOMETHING = _Something()
_LEFT_ALONE = (NotImplemented, Ellipsis)


class Neighbours:
    """The maker of neighbours of one value and its items in one `way`; `salt` varies them from call to call."""

    def __init__(self, way: int, salt: int = 0, *, alike: bool = False) -> None:
        self.way = way
        self.alike = alike
        self.salt = salt
        self._left = _MAX_ITEMS

    def of(self, value: Any, depth: int = 0) -> Any:
        """Return a neighbour of `value`, at this depth of another value; below the limits only scalars are changed."""
        if value is None:
            return _SOMETHING
        if self.alike and value and type(value) in TEXTS:
            return TEXTS[type(value)](value, self.way)
        simple = SCALARS.get(type(value))
        if simple is not None:
            return simple(value, self.way, self.salt)
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0 or any(value is one for one in _LEFT_ALONE):
            return value
        make = _KINDS.get(type(value))
        return self._of_another_kind(value, depth) if make is None else make(self, value, depth)

    def changed(self, owner: Any) -> None:
        """Replace the attributes of an object by neighbours, in place."""
        self._change(owner, owner, 1)

    def _of_another_kind(self, value: Any, depth: int) -> Any:
        """Return a neighbour of a value whose exact type has no entry in the tables."""
        for is_kind, make in _TESTS:
            if is_kind(value):
                return make(self, value, depth)
        try:
            found = array_or_frame(value)
        except Exception:
            found = None
        return self._object(value, depth) if found is None else found

    def _object(self, value: Any, depth: int) -> Any:
        """Return a copy of an object with other attributes, or a wrapper if it cannot be copied or has none."""
        try:
            twin = copy.copy(value)
            if twin is not value and type(twin) is type(value) and self._change(twin, value, depth + 1):
                return twin
        except Exception:
            return Twin(value, self, depth)
        return Twin(value, self, depth)

    def _change(self, twin: Any, value: Any, depth: int) -> bool:
        """Replace the attributes of a copy by neighbours of those of `value`; return False if there are none."""
        own: Dict[str, Any] = getattr(twin, "__dict__", {})
        names = list(own)
        for name in names:
            own[name] = self.of(own[name], depth)
        slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
        for name in slots:
            object.__setattr__(twin, name, self.of(getattr(value, name), depth))
        return bool(names or slots)

    def list(self, value: Any, depth: int) -> List[Any]:
        """Return another list: neighbours and one more item, in reverse order, or only the first."""
        if not value:
            return [AGREEABLE] * (self.way + 1)
        if self.way == 1:
            # Way 1 would negate the items as well, and a sorted list, negated and reversed, is sorted again.
            return Neighbours(0, self.salt, alike=self.alike).items(value, depth)[::-1]
        items = self.items(value, depth)
        if self.alike:
            return items
        return [*items, items[-1]] if self.way == 0 else items[:1]

    def items(self, value: Any, depth: int) -> List[Any]:
        """Return neighbours of all items."""
        return [self.of(each, depth + 1) for each in value]

    def tuple(self, value: Any, depth: int) -> Any:
        """Return a tuple of neighbours, of the same length in most ways, because callers unpack tuples."""
        items = self.items(value, depth)
        if hasattr(value, "_make"):
            return value._make(items)
        return tuple(items) if value and (self.way != 2 or self.alike) else (*items, AGREEABLE)

    def dict(self, value: Any, depth: int) -> Any:
        """Return another dictionary: with other values, and in way 1 other keys, in way 2 one more key."""
        pairs = [(key, self.of(each, depth + 1)) for key, each in value.items()]
        if self.way == 1:
            pairs = [(_hashable(self, key, depth), each) for key, each in pairs]
        twin = copy.copy(value)
        twin.clear()
        twin.update(pairs)
        if not value:
            twin[AGREEABLE] = AGREEABLE
        elif self.way == 2 and not self.alike:
            twin[_hashable(self, next(iter(value)), depth)] = pairs[0][1]
        return twin

    def set(self, value: Any, depth: int) -> Any:
        """Return another set."""
        ordered = sorted(value, key=repr)
        others = [_hashable(self, each, depth) for each in ordered] or [AGREEABLE]
        if self.alike and set(others) != set(ordered):
            return type(value)(others)
        return type(value)([*ordered, *others] if self.way == 0 else others if self.way == 1 else others[:1])

    def range(self, value: Any, _depth: int) -> Any:
        """Return another range."""
        if self.alike and value:
            return range(value.start + value.step, value.stop + value.step, value.step)
        longer = range(value.start, value.stop + value.step, value.step)
        return longer if self.way == 0 or len(value) < 2 else value[::-1] if self.way == 1 else value[:1]

    def member(self, value: Any, depth: int) -> Any:
        """Return another member of the same enumeration."""
        others = [each for each in type(value) if each is not value]
        return others[self.way % len(others)] if others else Twin(value, self, depth)

    def kind(self, value: Any, depth: int) -> Any:
        """Return a subclass of the class `value`."""
        try:
            return types.new_class(value.__name__, (value,))
        except Exception:
            return Twin(value, self, depth)

    def view(self, value: Any, depth: int) -> Any:
        """Return another view of a dictionary."""
        if isinstance(value, collections.abc.KeysView):
            return dict.fromkeys([_hashable(self, each, depth) for each in value] or [AGREEABLE]).keys()
        if isinstance(value, collections.abc.ItemsView):
            return self.dict(dict(value), depth).items()
        return dict(enumerate(self.list(list(value), depth))).values()

    def built_in(self, value: Any, depth: int) -> Any:
        """Return another instance of a subclass of a builtin class."""
        for base in type(value).__mro__:
            plain = SCALARS.get(base) or _KINDS.get(base)
            if plain is not None:
                break
        try:
            return type(value)(self.of(base(value), depth))
        except Exception:
            return self._object(value, depth)


def _hashable(neighbours: Neighbours, value: Any, depth: int) -> Any:
    """Return a hashable neighbour."""
    other = neighbours.of(value, depth + 1)
    try:
        hash(other)
    except TypeError:
        return "x"
    return other


def _slots(kind: type) -> List[str]:
    slots = vars(kind).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


_Make = Callable[[Neighbours, Any, int], Any]

_KINDS: Dict[Type[Any], _Make] = {
    list: Neighbours.list,
    tuple: Neighbours.tuple,
    dict: Neighbours.dict,
    collections.OrderedDict: Neighbours.dict,
    collections.defaultdict: Neighbours.dict,
    collections.Counter: lambda one, value, depth: one.dict(value, depth),
    collections.deque: lambda one, value, depth: collections.deque(one.list(list(value), depth), value.maxlen),
    set: Neighbours.set,
    frozenset: Neighbours.set,
    range: Neighbours.range,
    types.MappingProxyType: lambda one, value, depth: types.MappingProxyType(one.dict(dict(value), depth)),
}


def is_iterator(value: Any) -> bool:
    """True for a generator and for an iterator of `builtins` or `itertools`."""
    return isinstance(value, types.GeneratorType) or (
        hasattr(type(value), "__next__") and type(value).__module__ in ("builtins", "itertools")
    )


def _is_function(value: Any) -> bool:
    named = ("FunctionType", "BuiltinFunctionType", "MethodType", "MethodWrapperType")
    return isinstance(value, tuple(getattr(types, name) for name in named)) or type(value).__name__ == "partial"


_VIEWS = (collections.abc.KeysView, collections.abc.ItemsView, collections.abc.ValuesView)

_TESTS: List[Any] = [
    (lambda value: isinstance(value, enum.Enum), Neighbours.member),
    (lambda value: isinstance(value, type), Neighbours.kind),
    (lambda value: isinstance(value, tuple) and hasattr(value, "_make"), Neighbours.tuple),
    (_is_function, altered_callable),
    (is_iterator, altered_items),
    (inspect.isasyncgen, altered_later),
    (inspect.iscoroutine, altered_awaitable),
    (lambda value: isinstance(value, _VIEWS), Neighbours.view),
    (lambda value: isinstance(value, (*SCALARS, list, tuple, dict, set, frozenset)), Neighbours.built_in),
]
