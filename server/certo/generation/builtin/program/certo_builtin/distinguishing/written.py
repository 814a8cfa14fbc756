"""A value as the expression that makes it again: what a user can read, and what another process can evaluate."""

from __future__ import annotations

import builtins
import enum
import math
from typing import Any, Dict, Optional, Set, Tuple

LONGEST = 400
"""Characters in the longest expression that is of use; nobody reads a longer one."""

DEEPEST = 6

Born = Dict[int, Tuple[Any, str]]
"""Objects by their id, kept alive, with the call of their class that made them."""


class Writer:
    """Writes values in the names of one module; `born` has the objects whose making was watched."""

    def __init__(self, names: Dict[str, Any], born: Born) -> None:
        self._names = names
        self._born = born
        self.unwritten: Set[str] = set()
        """The names of the types of which a value could not be written."""

    def text(self, value: Any) -> Optional[str]:
        """The expression for a value; None when there is none that is known to make an equal one."""
        written = self._text(value, DEEPEST)
        if written is None or len(written) > LONGEST:
            self.unwritten.add(type(value).__name__)
            return None
        return written

    def _text(self, value: Any, depth: int) -> Optional[str]:
        kind = type(value)
        if depth == 0:
            return None
        if value is None or kind in (bool, int, str, bytes, complex):
            return repr(value)
        if kind is float:
            return repr(value) if math.isfinite(value) else "float({!r})".format(str(value))
        if kind in (list, tuple, set, frozenset):
            return self._collection(value, depth)
        if kind is dict:
            pairs = [(self._text(key, depth - 1), self._text(one, depth - 1)) for key, one in value.items()]
            if any(key is None or one is None for key, one in pairs):
                return None
            return "{" + ", ".join("{}: {}".format(key, one) for key, one in pairs) + "}"
        return self._named(value) or self._shown(value) or self._watched(value)

    def _collection(self, value: Any, depth: int) -> Optional[str]:
        inside = [self._text(one, depth - 1) for one in value]
        known = [one for one in inside if one is not None]
        if len(known) < len(inside):
            return None
        kind = type(value)
        if kind is list:
            return "[" + ", ".join(known) + "]"
        if kind is tuple:
            return "(" + ", ".join(known) + ("," if len(known) == 1 else "") + ")"
        known.sort()
        if kind is set:
            return "{" + ", ".join(known) + "}" if known else "set()"
        return "frozenset({" + ", ".join(known) + "})" if known else "frozenset()"

    def _named(self, value: Any) -> Optional[str]:
        """A member of an enumeration, a function or a class, by its name in the module or among the built-ins."""
        if isinstance(value, enum.Enum):
            name = "{}.{}".format(type(value).__qualname__, value.name)
        elif isinstance(value, type) or callable(value):
            name = str(getattr(value, "__qualname__", ""))
        else:
            return None
        found: Any = None
        first, *rest = name.split(".")
        found = self._names.get(first, getattr(builtins, first, None))
        for part in rest:
            found = getattr(found, part, None)
        return name if found is value else None

    def _shown(self, value: Any) -> Optional[str]:
        """What the value says of itself, if that makes an equal value of the same type."""
        try:
            text = repr(value)
            if len(text) > LONGEST or getattr(type(value), "__repr__", None) is object.__repr__:
                return None
            again = eval(text, dict(self._names))
            same = type(again) is type(value) and (bool(again == value) or repr(again) == text)
        except Exception:  # the project's own code, which may do anything
            return None
        return text if same else None

    def _watched(self, value: Any) -> Optional[str]:
        born = self._born.get(id(value))
        return born[1] if born is not None and born[0] is value else None


def call_text(name: str, arguments: Tuple[str, ...], named: Dict[str, str]) -> str:
    """A call as it is written."""
    return "{}({})".format(name, ", ".join([*arguments, *("{}={}".format(key, one) for key, one in named.items())]))
