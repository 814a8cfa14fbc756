"""Mutable containers of the standard library: what is in them, and how to put something else into them."""

from __future__ import annotations

import collections
import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from certo_worker.apart.frames import PeerFailed

MAPPINGS = (dict, collections.OrderedDict, collections.Counter, collections.defaultdict)

TAGS = {
    list: "l",
    dict: "d",
    set: "s",
    bytearray: "ba",
    collections.deque: "dq",
    collections.OrderedDict: "od",
    collections.Counter: "ct",
    collections.defaultdict: "dd",
}
"""The mark of each exact type on the wire."""

FACTORIES: Dict[str, Optional[Callable[[], Any]]] = {
    "": None,
    "int": int,
    "float": float,
    "str": str,
    "list": list,
    "dict": dict,
    "set": set,
    "tuple": tuple,
    "bool": bool,
}
"""What may make the missing values of a defaultdict, by name."""


def contents(container: Any) -> Any:
    """Return what is in a container, as a sequence that does not change with it; keys and values alternate."""
    if type(container) is bytearray:
        return bytes(container)
    if type(container) in MAPPINGS:
        return [each for pair in container.items() for each in pair]
    return list(container)


def is_still(container: Any, before: Any) -> bool:
    """Whether a container holds what it held, the very same objects."""
    if type(container) is bytearray:
        return bool(container == before)
    now = contents(container)
    return len(now) == len(before) and all(new is old for new, old in zip(now, before))


def refill(container: Any, new: Any) -> None:
    """Make a container hold what `contents` returned for another.

    Raises:
        TypeError: it cannot hold that.
        ValueError: as above.
    """
    if type(container) in MAPPINGS:
        pairs = list(zip(new[::2], new[1::2]))
        container.clear()
        for key, value in pairs:
            container[key] = value
        return
    if type(container) in (list, bytearray):
        container[:] = new
        return
    container.clear()
    if type(container) is collections.deque:
        container.extend(new)
    else:
        container.update(new)


def shape(container: Any) -> Any:
    """Return what of a container is not in it: a deque's length at most, a defaultdict's factory by name.

    Raises:
        ValueError: the factory is none of FACTORIES.
    """
    if type(container) is collections.deque:
        return container.maxlen
    if type(container) is collections.defaultdict:
        for name, factory in FACTORIES.items():
            if container.default_factory is factory:
                return name
        raise ValueError("a defaultdict with a factory of its own")
    return None


def empty(tag: str, shaped: Any) -> Any:
    """Return an empty container.

    Raises:
        KeyError: there is no such tag or shape.
        TypeError: as above.
        ValueError: as above.
    """
    kind = _KINDS[tag]
    if kind is collections.deque:
        return collections.deque(maxlen=shaped if shaped is None else int(shaped))
    if kind is collections.defaultdict:
        return collections.defaultdict(FACTORIES[shaped])
    return kind()


_KINDS: Dict[str, Any] = {tag: kind for kind, tag in TAGS.items()}


class Links:
    """The containers alive; those that are `ours` have even numbers in one process and odd ones in the other."""

    def __init__(self, first: int):
        self._next = first
        self._alive: Dict[int, Any] = {}
        self._numbers: Dict[int, int] = {}  # by identity, which the table above keeps from being used again
        self._seen: Dict[int, Any] = {}
        self._kept: Dict[int, None] = {}
        self._order: List[int] = []
        self._filling: List[int] = []
        self._depth = 0

    @contextlib.contextmanager
    def filling(self) -> Iterator[None]:
        """Tell nothing meanwhile of what is put in: what is put into a set may have to be asked how it hashes."""
        place = len(self._filling)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            del self._filling[place:]

    def number_of(self, container: Any) -> Optional[int]:
        """Return the number of a container, if it is alive."""
        return self._numbers.get(id(container))

    def is_ours(self, container: Any) -> bool:
        """True if this process gave a container its number."""
        number = self.number_of(container)
        return number is not None and number % 2 == self._next % 2

    def add(self, container: Any) -> int:
        """Give a container of ours a number."""
        number = self._next
        self._next += 2
        self._enter(number, container)
        return number

    def put(self, number: Any, container: Any) -> None:
        """Take in a container that the other process has given a number.

        Raises:
            PeerFailed: no process of ours would give it that one.
        """
        if type(number) is not int or number < 0 or number % 2 == self._next % 2 or number in self._alive:
            raise PeerFailed("numbered its values wrongly")
        self._fill(number)
        self._enter(number, container)

    def refilled(self, number: Any) -> Any:
        """Return the container of a number that is about to get what the other process knows to be in it.

        Raises:
            PeerFailed: there is none.
        """
        container = self.get(number)
        self._fill(number)
        return container

    def get(self, number: Any) -> Any:
        """Return the container of a number.

        Raises:
            PeerFailed: there is none.
        """
        if type(number) is not int or number not in self._alive:
            raise PeerFailed("referred to a value that is not there")
        return self._alive[number]

    def mark(self) -> int:
        """Return the present moment, for `release` and `keep`."""
        return len(self._order)

    def keep(self, mark: int) -> None:
        """Never release what has become alive since a moment: attributes, which stay what they are."""
        self._kept.update(dict.fromkeys(self._order[mark:]))

    def release(self, mark: int) -> None:
        """Forget what has become alive since a moment."""
        gone = [number for number in self._order[mark:] if number not in self._kept]
        del self._order[mark:]
        for number in gone:
            del self._numbers[id(self._alive[number])]
            del self._alive[number]
            self._seen.pop(number, None)

    def changed(self) -> List[Tuple[int, Any]]:
        """Return the containers that are not what the other process knows, which `settle` makes good."""
        return [
            (number, container)
            for number, container in self._alive.items()
            if number in self._seen and number not in self._filling and not is_still(container, self._seen[number])
        ]

    def settle(self) -> None:
        """Note that the other process now knows all there is."""
        for number, container in self._alive.items():
            if number in self._filling:
                continue
            if number not in self._seen or not is_still(container, self._seen[number]):
                self._seen[number] = contents(container)

    def _fill(self, number: int) -> None:
        if self._depth:
            self._filling.append(number)

    def _enter(self, number: int, container: Any) -> None:
        self._alive[number] = container
        self._numbers[id(container)] = number
        self._order.append(number)
