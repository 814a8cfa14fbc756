"""Wrappers of objects that cannot be copied: they return neighbours of all that the wrapped object returns."""

from __future__ import annotations

import functools
from typing import Any, AsyncIterator, Callable, Iterator

from certo_worker.mutation.agreeable_item import AGREEABLE


class Twin:
    """A wrapper with the `__class__` of its object and neighbours of the object's attributes and items."""

    def __init__(self, of: Any, neighbours: Any, depth: int) -> None:
        object.__setattr__(self, "_certo", (of, neighbours, depth))

    @property  # type: ignore[misc]  # mypy takes __class__ for a plain attribute
    def __class__(self) -> Any:
        """The class of the wrapped object, so that isinstance holds."""
        return type(object.__getattribute__(self, "_certo")[0])

    def __getattr__(self, name: str) -> Any:
        return _other(self, lambda of: getattr(of, name))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_of(self), name, value)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the wrapped object and return a neighbour of the result."""
        return _other(self, lambda of: of(*arguments, **named))

    def __getitem__(self, key: Any) -> Any:
        return _other(self, lambda of: of[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        _of(self)[key] = value

    def __contains__(self, value: Any) -> bool:
        return value not in _of(self)

    def __iter__(self) -> Any:
        return _other(self, iter)

    def __next__(self) -> Any:
        return _other(self, next)

    def __len__(self) -> int:
        return len(_of(self)) + 1

    def __bool__(self) -> bool:
        return bool(_of(self))

    def __str__(self) -> str:
        return str(_other(self, str))

    def __repr__(self) -> str:
        return str(_other(self, repr))

    def __enter__(self) -> Any:
        return _other(self, lambda of: of.__enter__())

    def __exit__(self, *details: Any) -> Any:
        return _of(self).__exit__(*details)

    async def __aenter__(self) -> Any:
        of, neighbours, depth = object.__getattribute__(self, "_certo")
        return neighbours.of(await of.__aenter__(), depth + 1)

    async def __aexit__(self, *details: Any) -> Any:
        return await _of(self).__aexit__(*details)

    def __await__(self) -> Any:
        of, neighbours, depth = object.__getattribute__(self, "_certo")
        return neighbours.of((yield from of.__await__()), depth + 1)


def _of(twin: Twin) -> Any:
    return object.__getattribute__(twin, "_certo")[0]


def _other(twin: Twin, ask: Callable[[Any], Any]) -> Any:
    of, neighbours, depth = object.__getattribute__(twin, "_certo")
    return neighbours.of(ask(of), depth + 1)


def altered_callable(neighbours: Any, function: Any, depth: int) -> Any:
    """Return a function that returns neighbours of the results of `function`, and None if that raises in way 0."""

    def altered(*arguments: Any, **named: Any) -> Any:
        try:
            given = function(*arguments, **named)
        except Exception:
            if neighbours.way == 0:
                return None
            raise
        return neighbours.of(given, depth + 1)

    try:
        return functools.wraps(function)(altered)
    except Exception:
        return altered


def altered_items(neighbours: Any, items: Iterator[Any], depth: int) -> Iterator[Any]:
    """Yield neighbours of all items, and one more if there is none or in way 0."""
    none = True
    for item in items:
        none = False
        yield neighbours.of(item, depth + 1)
    if none or (neighbours.way == 0 and not neighbours.alike):
        yield AGREEABLE if none else None


async def altered_later(neighbours: Any, items: Any, depth: int) -> AsyncIterator[Any]:
    """Yield the same as `altered_items`, for an asynchronous generator."""
    none = True
    async for item in items:
        none = False
        yield neighbours.of(item, depth + 1)
    if none or (neighbours.way == 0 and not neighbours.alike):
        yield AGREEABLE if none else None


async def altered_awaitable(neighbours: Any, awaitable: Any, depth: int) -> Any:
    """Return a neighbour of the awaited result."""
    return neighbours.of(await awaitable, depth + 1)
