"""Immutable values of the standard library that are carried by value: each type's mark, parts, and how to remake it.

Only a value whose type is exactly one of these is: an object of a subclass may say of itself whatever it likes.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import fractions
import pathlib
import uuid
from typing import Any, Callable, Dict, List, NamedTuple


class Atom(NamedTuple):
    """How one type is carried: as a list of parts, which are carried in turn, by `take` and `make`."""

    tag: str
    take: Callable[[Any], List[Any]]
    make: Callable[..., Any]


_LONGEST = 1 << 18
"""Hexadecimal digits of an integer: with more, only writing it down takes long."""


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST:
        raise ValueError("an integer is too long")
    return int(digits, 16)


def hexadecimal(number: int) -> str:
    """Return the digits of an integer.

    Raises:
        ValueError: they are too many.
    """
    if number.bit_length() > 4 * (_LONGEST - 4):
        raise ValueError("an integer of more than {} bits".format(4 * (_LONGEST - 4)))
    return hex(number)


def _datetime(*parts: Any) -> datetime.datetime:
    year, month, day, hour, minute, second, microsecond, zone, fold = parts
    return datetime.datetime(year, month, day, hour, minute, second, microsecond, _zone(zone), fold=fold)


def _time(*parts: Any) -> datetime.time:
    hour, minute, second, microsecond, zone, fold = parts
    return datetime.time(hour, minute, second, microsecond, _zone(zone), fold=fold)


def _zone(zone: Any) -> Any:
    if zone is not None and type(zone) is not datetime.timezone:
        raise ValueError("a time zone of another kind")
    return zone


def _of_datetime(moment: datetime.datetime) -> List[Any]:
    day = [moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond]
    return [*day, _zone(moment.tzinfo), moment.fold]


def _of_time(moment: datetime.time) -> List[Any]:
    return [moment.hour, moment.minute, moment.second, moment.microsecond, _zone(moment.tzinfo), moment.fold]


ATOMS: Dict[type, Atom] = {
    float: Atom("f", lambda number: [repr(number)], float),
    int: Atom("i", lambda number: [hexadecimal(number)], _integer),
    complex: Atom("c", lambda number: [number.real, number.imag], complex),
    bytes: Atom("b", lambda value: [base64.b64encode(value).decode("ascii")], base64.b64decode),
    slice: Atom("sl", lambda value: [value.start, value.stop, value.step], slice),
    range: Atom("rg", lambda value: [value.start, value.stop, value.step], range),
    decimal.Decimal: Atom("dc", lambda value: [str(value)], decimal.Decimal),
    fractions.Fraction: Atom("fr", lambda value: [value.numerator, value.denominator], fractions.Fraction),
    datetime.date: Atom("da", lambda value: [value.year, value.month, value.day], datetime.date),
    datetime.time: Atom("ti", _of_time, _time),
    datetime.datetime: Atom("dt", _of_datetime, _datetime),
    datetime.timedelta: Atom("td", lambda value: [value.days, value.seconds, value.microseconds], datetime.timedelta),
    datetime.timezone: Atom("tz", lambda value: list(value.__getinitargs__()), datetime.timezone),
    uuid.UUID: Atom("uu", lambda value: [str(value)], uuid.UUID),
    type(pathlib.Path()): Atom("pa", lambda value: [str(value)], pathlib.Path),
    pathlib.PurePosixPath: Atom("pp", lambda value: [str(value)], pathlib.PurePosixPath),
    pathlib.PureWindowsPath: Atom("pw", lambda value: [str(value)], pathlib.PureWindowsPath),
}
"""By exact type. Integers and floats that JSON can write down as they are need none of this."""

MAKERS: Dict[str, Callable[..., Any]] = {atom.tag: atom.make for atom in ATOMS.values()}
"""By tag."""

CONSTANTS: Dict[str, Any] = {"...": ..., "NotImplemented": NotImplemented}
"""By name; there is one of each in every process."""
