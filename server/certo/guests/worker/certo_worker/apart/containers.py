"""Mutable containers of the standard library, which both processes hold a copy of and keep equal.

A function that sorts its argument in place has to sort the list of the test, and a test that clears `module.CACHE` has
to clear the candidate's. Sending containers by value alone would lose these changes, and with them aliasing: one list
passed twice would arrive as two. References would keep them, but then a candidate could forge the `==` of its list.
So each container is linked: it gets a number when it first crosses, and both processes hold a real copy under it.
Before each message a process compares its copies with the contents the other one is known to have, and sends those
that differ. Nobody has to intercept `append`, and because only one process runs at a time, no two changes collide.
"""

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
"""The tag of each type on the wire. Subclasses are not among them, since they may override any method."""

FACTORIES: Dict[str, Callable[[], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "list": list,
    "dict": dict,
    "set": set,
    "tuple": tuple,
    "bool": bool,
}
"""Factories of defaultdicts that both processes have, by name; any other is carried as a reference."""


def contents(container: Any) -> Any:
    """Return a snapshot of a container as a sequence; of a mapping, keys and values alternate."""
    if type(container) is bytearray:
        return bytes(container)
    if type(container) in MAPPINGS:
        return [each for pair in container.items() for each in pair]
    return list(container)


def is_still(container: Any, before: Any) -> bool:
    """True if a container holds the very same objects as in a snapshot.

    Items are compared by identity: an `==` might be the user's code, and it would take `True` for `1`.
    """
    if type(container) is bytearray:
        return bool(container == before)
    now = contents(container)
    return len(now) == len(before) and all(new is old for new, old in zip(now, before))


def refill(container: Any, new: Any) -> None:
    """Replace the contents of a container, in place, by a snapshot that `contents` returned.

    Raises:
        TypeError: an item cannot be in such a container.
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
    """Return a parameter of a container that is not an item: the `maxlen` of a deque, the factory of a defaultdict."""
    if type(container) is collections.deque:
        return container.maxlen
    return container.default_factory if type(container) is collections.defaultdict else None


def empty(tag: str, shaped: Any) -> Any:
    """Return an empty container of a tag and a `shape`.

    Raises:
        KeyError: there is no such tag.
        TypeError: no container has such a shape.
        ValueError: as above.
    """
    kind = _KINDS[tag]
    if kind is collections.deque:
        return collections.deque(maxlen=shaped if shaped is None else int(shaped))
    if kind is collections.defaultdict:
        return collections.defaultdict(shaped)
    return kind()


_KINDS: Dict[str, Any] = {tag: kind for kind, tag in TAGS.items()}


class Links:
    """The containers that are linked at present, by number.

    Each process numbers the containers that it sends first: one takes even numbers, the other odd ones, so that neither
    has to ask. A link lasts as long as the question in which it arose. What the candidate keeps for longer is a copy of
    its own from then on, except for attributes, which stay linked.
    """

    def __init__(self, first: int):
        self._next = first
        self._alive: Dict[int, Any] = {}
        self._numbers: Dict[int, int] = {}  # by identity, which is not reused while `_alive` holds the object
        self._seen: Dict[int, Any] = {}  # snapshots: the contents that the other process is known to have
        self._kept: Dict[int, None] = {}
        self._order: List[int] = []
        self._filling: List[int] = []
        self._depth = 0

    @contextlib.contextmanager
    def filling(self) -> Iterator[None]:
        """Exclude containers that are being unpacked from `changed` and `settle`.

        Putting a proxy into a set calls its `__hash__`, which may ask the other process while the set is half full.
        The message with that question must not report the half as a change.
        """
        place = len(self._filling)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            del self._filling[place:]

    def number_of(self, container: Any) -> Optional[int]:
        """Return the number of a container, or None if it is not linked."""
        return self._numbers.get(id(container))

    def is_ours(self, container: Any) -> bool:
        """True if this process gave a container its number."""
        number = self.number_of(container)
        return number is not None and number % 2 == self._next % 2

    def add(self, container: Any) -> int:
        """Link a container that this process sends for the first time, and return its number."""
        number = self._next
        self._next += 2
        self._enter(number, container)
        return number

    def put(self, number: Any, container: Any) -> None:
        """Link a container under the number that the other process gave it.

        Raises:
            PeerFailed: the number is in use, or not one of the other process.
        """
        if type(number) is not int or number < 0 or number % 2 == self._next % 2 or number in self._alive:
            raise PeerFailed("numbered its values wrongly")
        self._fill(number)
        self._enter(number, container)

    def refilled(self, number: Any) -> Any:
        """Return the container of a number, which the caller is about to fill from a message.

        Raises:
            PeerFailed: no container has that number.
        """
        container = self.get(number)
        self._fill(number)
        return container

    def get(self, number: Any) -> Any:
        """Return the container of a number.

        Raises:
            PeerFailed: no container has that number.
        """
        if type(number) is not int or number not in self._alive:
            raise PeerFailed("referred to an unknown value")
        return self._alive[number]

    def mark(self) -> int:
        """Return a position in the order of linking, for `release` and `keep`."""
        return len(self._order)

    def keep(self, mark: int) -> None:
        """Keep the containers linked since `mark` for good: they are attributes, which may change at any time."""
        self._kept.update(dict.fromkeys(self._order[mark:]))

    def release(self, mark: int) -> None:
        """Unlink the containers linked since `mark`."""
        gone = [number for number in self._order[mark:] if number not in self._kept]
        del self._order[mark:]
        for number in gone:
            del self._numbers[id(self._alive[number])]
            del self._alive[number]
            self._seen.pop(number, None)

    def changed(self) -> List[Tuple[int, Any]]:
        """Return the containers whose contents differ from those that the other process is known to have."""
        return [
            (number, container)
            for number, container in self._alive.items()
            if number in self._seen and number not in self._filling and not is_still(container, self._seen[number])
        ]

    def settle(self) -> None:
        """Take new snapshots: the other process now has the contents of all linked containers."""
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
