"""Terms: expressions together with their values on the examples."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, NamedTuple, Optional, Set, Tuple

# Precedence levels, loosest first, which decide about parentheses.
LOOSE, COMPARED, SUM, PRODUCT, POWER, ATOM = range(6)

MAX_TEXT = 400
MAX_LIST = 200
MAX_RANGE = 20000
MAX_NUMBER = 10**15

SAMPLE = 6
"""Number of values of one type whose kinds are examined."""


class Missing:
    """Value of an expression that raises; equal to nothing."""

    __hash__ = None  # type: ignore[assignment]  # it must not be looked up

    def __eq__(self, other: object) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Term(NamedTuple):
    """An expression: its text, its value on each example, its cost, its precedence, the kinds of its values.

    `fixed` means that it has no parameter, `partial` that it has no value on some example, where MISSING stands for it.
    One unit of cost stands for about three bits: the choice of one component, leaf or constant.
    """

    text: str
    values: Tuple[Any, ...]
    cost: int
    level: int
    kinds: FrozenSet[str]
    fixed: bool = False
    partial: bool = False

    def at(self, level: int) -> str:
        """Return the text, in parentheses if it binds less tightly than `level`."""
        return self.text if self.level >= level else "({})".format(self.text)


def is_small(value: Any) -> bool:
    """True if a value is worth keeping."""
    kind = type(value)
    if kind is int or kind is float:
        # NaN and foreign objects fail every comparison.
        return bool(-MAX_NUMBER < value < MAX_NUMBER)
    if kind is str:
        return len(value) <= MAX_TEXT
    if kind is range:
        return len(value) <= MAX_RANGE
    if kind is complex:
        return False
    return not isinstance(value, (list, tuple, set, dict)) or len(value) <= MAX_LIST


_SCALARS: Dict[type, FrozenSet[str]] = {
    bool: frozenset({"any", "bool"}),
    float: frozenset({"any", "float", "number"}),
    int: frozenset({"any", "int", "number"}),
    type(None): frozenset({"any", "NoneType"}),
}
_COUNT = frozenset({"any", "int", "number", "count"})
_IN_ORDER = (str, list, tuple)
_SIZED = (*_IN_ORDER, set, dict, range)


def _kinds_of(value: Any) -> FrozenSet[str]:
    """Return every kind of a value; the names are those in components."""
    kind = type(value)
    if kind is int and 0 <= value <= MAX_LIST:
        return _COUNT
    scalar = _SCALARS.get(kind)
    if scalar is not None:
        return scalar
    kinds = {"any", kind.__name__}
    if isinstance(value, dict):
        kinds.add("dict")
    if isinstance(value, _SIZED):
        kinds.update(_kinds_of_sized(value))
    return frozenset(kinds)


def _kinds_of_sized(value: Any) -> Set[str]:
    kind = type(value)
    if kind is range:
        return {"numbers", "integers"}
    kinds = {"collection"}
    if kind in _IN_ORDER:
        kinds.add("sequence")
    if value:
        kinds.update(("some", "some sequence") if kind in _IN_ORDER else ("some",))
    if kind is str:
        return kinds | {"character"} if len(value) == 1 else kinds
    inner = set(map(type, value))
    if inner <= _NUMERIC:
        kinds.update(("numbers",) if float in inner else ("numbers", "integers"))
    if inner <= _TEXTUAL:
        kinds.add("texts")
    if kind in (list, tuple):
        kinds.add("row")
        if inner <= _ROWS:
            kinds.update(("rows", "some rows") if inner else ("rows",))
        if inner <= _NESTED:
            kinds.add("nested")
    return kinds


_NUMERIC = {int, float, bool}
_TEXTUAL = {str}
_ROWS = {list, tuple}
_NESTED = {tuple, list, str, set, range}


def kinds_of(values: Tuple[Any, ...]) -> FrozenSet[str]:
    """Return the kinds that all of the values are of."""
    types = set(map(type, values))
    if len(types) == 1:
        (kind,) = types
        if kind is int:
            return _COUNT if min(values) >= 0 and max(values) <= MAX_LIST else _SCALARS[int]
        if kind in _SCALARS:
            return _SCALARS[kind]
    # Of many values of one type a sample suffices: a component raises on values that it cannot take.
    sample = values if len(values) <= SAMPLE or len(types) > 1 else values[:: len(values) // SAMPLE]
    found = set(map(_kinds_of, sample))
    if not found:
        return frozenset({"any"})
    shared = frozenset.intersection(*found)
    return shared | {"mixed"} if len(types) > 1 else shared


def all_small(values: Tuple[Any, ...]) -> bool:
    """True if all values are worth keeping."""
    types = set(map(type, values))
    if types <= _NEVER_LARGE:
        return True
    if types == _WHOLE:
        return bool(min(values) > -MAX_NUMBER and max(values) < MAX_NUMBER)
    return all(map(is_small, values))


_NEVER_LARGE = {bool, type(None)}
_WHOLE = {int}


def fingerprint(values: Tuple[Any, ...]) -> Optional[str]:
    """Return the key of observational equivalence, shared by terms with equal values; None if there is none.

    Python's repr distinguishes values of different types: 1, 1.0, True and '1' have different keys.
    """
    try:
        return repr(values)
    except Exception:  # a project's own __repr__ may raise
        return None


class Near(float):
    """A number with a relative tolerance."""

    tolerance = 1e-6

    @classmethod
    def within(cls, value: float, tolerance: float) -> Near:
        """Return the number with its tolerance."""
        near = cls(value)
        near.tolerance = max(tolerance, cls.tolerance)
        return near


def agrees(value: Any, expected: Any) -> bool:
    """True if a value satisfies an example; a float need only be near, and an int may stand for one."""
    try:
        if isinstance(value, float) or isinstance(expected, float):
            if type(value) not in (int, float) or not isinstance(expected, float):
                return False
            return bool(abs(value - expected) <= getattr(expected, "tolerance", 1e-6) * max(1.0, abs(expected)))
        if type(value) is not type(expected):
            return False
        if type(value) in (list, tuple) and len(value) == len(expected):
            return all(agrees(one, want) for one, want in zip(value, expected))
        return bool(value == expected)
    except Exception:  # a project's own __eq__ may raise
        return False
