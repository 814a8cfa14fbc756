"""Mutable containers of the standard library: what is in them, and how to put something else into them."""

from __future__ import annotations

import collections
from typing import Any, Callable, Dict, Optional

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
