"""Results of simple mutants: an empty value, the first argument, and an exception."""

from __future__ import annotations

import collections
import copy
from typing import Any, Callable, Dict, Tuple

from certo_worker.mutation.neighbours import is_iterator

_EMPTY = (str, bytes, bytearray, frozenset, tuple)
_CLEARED = (list, dict, set, collections.deque)


class Broken(Exception):
    """The exception of a mutant that always raises; no test expects it."""


def emptied(value: Any) -> Any:
    """Return an empty collection or text of the same type, or a bare object for any other value."""
    try:
        if isinstance(value, _CLEARED):
            twin = copy.copy(value)
            twin.clear()
            return twin
        if isinstance(value, _EMPTY) and not hasattr(value, "_make"):
            return type(value)()
    except Exception:
        return object()
    if isinstance(value, range):
        return range(0)
    return iter(()) if is_iterator(value) else object()


def first_of(function: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
    """Return the first argument of a call, other than `self` or `cls`."""
    code = getattr(function, "__code__", None)
    own = bool(arguments) and code is not None and code.co_varnames[:1] in (("self",), ("cls",))
    return next(iter((*arguments[own:], *named.values())), object())
