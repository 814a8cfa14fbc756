"""Values on the wire: those of an exact well-known type go by value, all others by reference.

On the wire a value is null, a boolean, a string, a finite number, or a list whose first element, a tag, says how to
read the others. Subclasses go by reference, because they may override any method of a well-known type.
"""

from __future__ import annotations

import base64
import datetime
import decimal
import fractions
import math
import pathlib
import uuid
from typing import Any, Callable, Dict, List, NamedTuple

from certo_worker.apart import arrays, containers
from certo_worker.apart.containers import Links
from certo_worker.apart.frames import PeerFailed


class Atom(NamedTuple):
    """The encoding of one immutable type: `take` returns its parts, which are packed in turn, `make` the value."""

    tag: str
    take: Callable[[Any], List[Any]]
    make: Callable[..., Any]


_MAX_CHARACTERS = 1 << 18
"""Hexadecimal digits of an integer; a longer one would take too long to write down."""


def _integer(digits: str) -> int:
    if len(digits) > _MAX_CHARACTERS:
        raise ValueError("an integer is too long")
    return int(digits, 16)


def hexadecimal(number: int) -> str:
    """Return the hexadecimal digits of an integer.

    Raises:
        ValueError: there are too many digits.
    """
    if number.bit_length() > 4 * (_MAX_CHARACTERS - 4):
        raise ValueError("an integer of more than {} bits".format(4 * (_MAX_CHARACTERS - 4)))
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
"""By exact type. Integers and floats that JSON can represent exactly are sent as numbers."""

MAKERS: Dict[str, Callable[..., Any]] = {atom.tag: atom.make for atom in ATOMS.values()}
"""By tag."""

CONSTANTS: Dict[str, Any] = {"...": ..., "NotImplemented": NotImplemented}
"""Singletons of Python, by name."""


MAX_DEPTH = 100
"""Levels of nesting in one value."""

_EXACT = 1 << 53


class Unportable(Exception):
    """A value can be sent neither by value nor by reference."""


class Values:
    """The packing of values for the other process and the unpacking of its values.

    `refer` packs a value by reference, `resolve` unpacks the tags of references.
    """

    def __init__(self, links: Links, refer: Callable[[Any], List[Any]], resolve: Callable[[List[Any]], Any]):
        self._links = links
        self._refer = refer
        self._resolve = resolve

    def pack(self, value: Any, depth: int = 0) -> Any:
        """Return the wire form of a value.

        Raises:
            Unportable: it has none.
        """
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if (kind is int and -_EXACT < value < _EXACT) or (kind is float and math.isfinite(value)):
            return value
        if depth > MAX_DEPTH:
            raise Unportable("a value that is nested more than {} deep".format(MAX_DEPTH))
        if kind is tuple or kind is frozenset:
            return ["t" if kind is tuple else "z", *(self.pack(each, depth + 1) for each in value)]
        if kind in containers.TAGS:
            return self._pack_container(value, depth)
        if kind in ATOMS:
            return self._pack_atom(value, depth)
        for name, constant in CONSTANTS.items():
            if value is constant:
                return ["k!", name]
        found = arrays.take(value)
        return self._refer(value) if found is None else [found[0], *(self.pack(each, depth + 1) for each in found[1])]

    def _pack_atom(self, value: Any, depth: int) -> Any:
        atom = ATOMS[type(value)]
        try:
            parts = atom.take(value)
        except ValueError:
            return self._refer(value)
        return [atom.tag, *(self.pack(part, depth + 1) for part in parts)]

    def _pack_container(self, value: Any, depth: int) -> Any:
        kind: Any = type(value)
        number = self._links.number_of(value)
        if number is not None:
            return ["@", number]
        shape = self._pack_shape(containers.shape(value))
        number = self._links.add(value)
        return [containers.TAGS[kind], number, shape, self._pack_contents(value, depth)]

    def _pack_shape(self, shape: Any) -> Any:
        """Return the wire form of a container's shape: a factory that both processes have by its name."""
        if shape is None or type(shape) is int:
            return shape
        name = next((name for name, factory in containers.FACTORIES.items() if factory is shape), None)
        return ["fn", self._refer(shape)] if name is None else name

    def _pack_contents(self, container: Any, depth: int) -> Any:
        inside = containers.contents(container)
        if isinstance(inside, bytes):
            return self._pack_atom(inside, depth)
        return [self.pack(each, depth + 1) for each in inside]

    def unpack(self, packed: Any, depth: int = 0) -> Any:
        """Return the value of a wire form.

        Raises:
            PeerFailed: the wire form is malformed.
        """
        if not isinstance(packed, list):
            if isinstance(packed, dict):
                raise PeerFailed("sent a malformed value")
            return packed
        if depth > MAX_DEPTH or not packed or not isinstance(packed[0], str):
            raise PeerFailed("sent a malformed value")
        try:
            return self._unpack(packed[0], packed[1:], depth + 1)
        except (TypeError, ValueError, ArithmeticError, LookupError, MemoryError, ImportError) as error:
            raise PeerFailed("sent a malformed value ({})".format(type(error).__name__)) from None

    def _unpack(self, tag: str, parts: List[Any], depth: int) -> Any:
        if tag in ("t", "z"):
            unpacked = [self.unpack(part, depth) for part in parts]
            return tuple(unpacked) if tag == "t" else frozenset(unpacked)
        if tag == "@":
            return self._links.get(*parts)
        if tag in containers.TAGS.values():
            number, shape, inside = parts
            container = containers.empty(tag, self._unpack_shape(shape))
            # A container may contain itself, so it is linked before its items are unpacked.
            self._links.put(number, container)
            self._fill(container, inside, depth)
            return container
        if tag == "k!":
            return CONSTANTS[parts[0]]
        if tag in MAKERS:
            return MAKERS[tag](*(self.unpack(part, depth) for part in parts))
        if tag in arrays.TAGS:
            return arrays.make(tag, [self.unpack(part, depth) for part in parts])
        return self._resolve([tag, *parts])

    def _unpack_shape(self, shape: Any) -> Any:
        if isinstance(shape, list) and shape[0] == "fn":
            return self._resolve(shape)
        return containers.FACTORIES[shape] if isinstance(shape, str) else shape

    def _fill(self, container: Any, inside: Any, depth: int) -> None:
        if type(container) is bytearray:
            new = self.unpack(inside, depth)
            if not isinstance(new, bytes):
                raise PeerFailed("sent a malformed value")
        else:
            new = [self.unpack(each, depth) for each in _listed(inside)]
        containers.refill(container, new)

    def pack_changes(self) -> List[Any]:
        """Return the numbers and new contents of the linked containers that changed since the last message.

        Raises:
            Unportable: a new item cannot be sent.
        """
        return [[number, self._pack_contents(container, 0)] for number, container in self._links.changed()]

    def apply_changes(self, changes: Any) -> List[Any]:
        """Apply the changes that `pack_changes` of the other process returned, and return the containers.

        Raises:
            PeerFailed: a change is malformed.
        """
        changed = []
        for change in _listed(changes):
            number, inside = _listed(change)
            try:
                changed.append(self._links.refilled(number))
                self._fill(changed[-1], inside, 0)
            except (TypeError, ValueError) as error:
                raise PeerFailed("sent a malformed value ({})".format(type(error).__name__)) from None
        return changed


def _listed(packed: Any) -> List[Any]:
    if not isinstance(packed, list):
        raise PeerFailed("sent a malformed value")
    return packed
