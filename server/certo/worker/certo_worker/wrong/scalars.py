"""Values next to another one, of the same type and as true or false as that one: numbers, texts and points in time."""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
from typing import Any, Callable, Dict

_FILL = 40
_INEXACT = (float, decimal.Decimal)


def _number(value: Any, way: int, salt: int) -> Any:
    if value != value or value in (float("inf"), float("-inf")):
        return type(value)(way)
    if way == 0:
        return value + ((abs(value) / 2 or 1) if type(value) in _INEXACT else 1)
    return -value - 1 if way == 1 else value * 10 + 7 + salt


def number(value: Any, way: int, salt: int) -> Any:
    """Return another number: a little more, on the other side of zero, or much more by what `salt` says."""
    try:
        other = _number(value, way, salt)
    except ArithmeticError:
        other = type(value)(way)
    # What is true stays true, and what is not there yet is another one in any case.
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
"""By type, what makes another value: by the way it is to differ, of three, and a number that goes into it."""

TEXTS: Dict[type, Callable[[Any, int], Any]] = {
    str: lambda value, way: _as_long(value, way, "x", "#"),
    bytes: lambda value, way: _as_long(value, way, b"x", b"#"),
}
"""By type, what makes another text of the same length."""
