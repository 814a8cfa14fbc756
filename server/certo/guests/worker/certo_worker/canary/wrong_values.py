"""Wrong values for broken assertions: each differs from an expected value and, where possible, has its type.

The same type matters: a value of another type would be refused by honest and by many forged operators alike.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import pathlib
import sys
from typing import Any, Callable, Dict, Optional

MARK = "\u2063"
"""An invisible separator, which no test expects; a text with it looks like the one without."""

Decoy = Callable[[Any], Optional[Any]]


def _far(number: Any) -> Any:
    """Return a number so far away that no tolerance accepts it."""
    try:
        return 0 if number != number else number + 1000 * (abs(number) + 1)
    except ArithmeticError:
        return 0  # only very large numbers overflow, and they are far from zero


def _later(moment: Any) -> Any:
    day = datetime.timedelta(days=1)
    try:
        return moment + day
    except OverflowError:
        return moment - day


_KINDS: Dict[type, Callable[[Any], Any]] = {
    bool: lambda value: not value,
    int: _far,
    float: lambda value: 0.0 if value in (float("inf"), float("-inf")) else _far(value),
    complex: _far,
    decimal.Decimal: lambda value: _far(value) if value.is_finite() else decimal.Decimal(0),
    fractions.Fraction: _far,
    str: lambda value: value + MARK,
    bytes: lambda value: value + b"\0",
    bytearray: lambda value: value + b"\0",
    list: lambda value: [*value, MARK],
    tuple: lambda value: (*value, MARK),
    dict: lambda value: {**value, MARK: MARK},
    collections.OrderedDict: lambda value: collections.OrderedDict([*value.items(), (MARK, MARK)]),
    collections.Counter: lambda value: value + collections.Counter([MARK]),
    set: lambda value: value | {MARK},
    frozenset: lambda value: value | {MARK},
    datetime.date: _later,
    datetime.datetime: _later,
    datetime.timedelta: lambda value: value + datetime.timedelta(days=1) if value.days < 1 else -value,
    type(pathlib.Path()): lambda value: value / MARK,
}


_WORD = "qvzxkwpj"
"""A word of plain letters that hardly any text contains."""


def beside(value: Any) -> Any:
    """Return a wrong value near `value`: the next number, or another plain word.

    For types without near values, return the one of `other_than`.
    """
    kind = type(value)
    try:
        if kind in (int, float, complex, decimal.Decimal, fractions.Fraction) and value + 1 != value:
            return value + 1
    except ArithmeticError:
        return other_than(value)
    if kind is str:
        return _WORD if value != _WORD else _WORD[::-1]
    if kind in (list, tuple) and value:
        return kind([*value[:-1], beside(value[-1])])
    return other_than(value)


def other_than(value: Any, decoy: Optional[Decoy] = None) -> Any:
    """Return a value that does not equal `value`; for a proxy, `decoy` finds one of another object."""
    found = None if decoy is None else decoy(value)
    if found is not None:
        return found
    make = _KINDS.get(type(value))
    if make is not None:
        return make(value)
    made = _approximate(value)
    made = array_or_frame(value) if made is None else made
    return object() if made is None else made


def _approximate(value: Any) -> Any:
    """Return a `pytest.approx` of a wrong value, with the same tolerances."""
    if not type(value).__module__.startswith("_pytest.") or not hasattr(value, "expected"):
        return None
    tolerances = {name: getattr(value, name, None) for name in ("rel", "abs", "nan_ok")}
    expected = value.expected
    if isinstance(expected, dict):
        changed: Any = {key: other_than(each) for key, each in expected.items()} or {MARK: 1.0}
    elif isinstance(expected, (list, tuple)):
        changed = type(expected)(other_than(each) for each in expected) or type(expected)([1.0])
    else:
        changed = other_than(expected)
    return type(value)(changed, **tolerances)


def array_or_frame(value: Any) -> Any:
    """Return a wrong array of numpy or frame of pandas, or None for any other value."""
    library = str(type(value).__module__).partition(".")[0]
    if library == "numpy" and "numpy" in sys.modules:
        return _array(value, sys.modules["numpy"])
    if library == "pandas" and "pandas" in sys.modules:
        return _frame(value, sys.modules["pandas"])
    return None


def _array(value: Any, numpy: Any) -> Any:
    if not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    if value.size == 0:
        return numpy.ones(1)
    if value.dtype.kind == "b":
        return ~value
    if value.dtype.kind in "iufc":
        wide = numpy.nan_to_num(value.astype(complex if value.dtype.kind == "c" else float))
        return wide + 1000 * (abs(wide) + 1)
    return numpy.full(value.shape, MARK, dtype=object)


def _frame(value: Any, pandas: Any) -> Any:
    if isinstance(value, pandas.DataFrame):
        return value.assign(**{MARK: MARK})
    if isinstance(value, pandas.Series):
        return pandas.concat([value, pandas.Series([MARK], index=[MARK])])
    if isinstance(value, pandas.Index):
        return value.append(pandas.Index([MARK]))
    return None
