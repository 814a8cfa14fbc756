"""What a value looks like to whoever compares it: the same for equal values, whatever their order and addresses."""

from __future__ import annotations

import hashlib
import re
from typing import Any, FrozenSet

LONGEST = 600
DEEPEST = 8
MOST = 1000
"""How many elements of a collection are looked at."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def shown(value: Any) -> str:
    """A value in words that differ where values do; long ones are cut, with a digest of the whole."""
    return cut(_shown(value, DEEPEST, frozenset()))


def cut(text: str) -> str:
    """A text as it is, or its beginning with a digest of all of it."""
    if len(text) <= LONGEST:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return "{}… ({:,} characters, {})".format(text[:LONGEST], len(text), digest)


def _shown(value: Any, depth: int, above: FrozenSet[int]) -> str:
    kind = type(value)
    if depth == 0 or id(value) in above:
        return "…"
    inner = above | {id(value)}
    if kind in (list, tuple, set, frozenset):
        inside = [_shown(one, depth - 1, inner) for one in list(value)[:MOST]]
        if len(value) > MOST:
            inside.append("… {:,} in all".format(len(value)))
        return _collection(value, inside)
    if kind is dict:
        pairs = [(_shown(key, depth - 1, inner), _shown(one, depth - 1, inner)) for key, one in value.items()]
        return "{" + ", ".join("{}: {}".format(key, one) for key, one in pairs[:MOST]) + "}"
    if getattr(kind, "__repr__", None) is object.__repr__:
        state = getattr(value, "__dict__", {})
        inside = ["{}={}".format(name, _shown(one, depth - 1, inner)) for name, one in state.items()]
        return "<{}{}>".format(kind.__name__, "".join(" " + one for one in sorted(inside)))
    return _represented(value)


def _collection(value: Any, inside: "list[str]") -> str:
    if isinstance(value, list):
        return "[" + ", ".join(inside) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
    inside.sort()
    if isinstance(value, frozenset):
        return "frozenset({" + ", ".join(inside) + "})" if inside else "frozenset()"
    return "{" + ", ".join(inside) + "}" if inside else "set()"


def _represented(value: Any) -> str:
    try:
        return _ADDRESS.sub("", repr(value))
    except Exception:  # the project's own code; and Python shows no number of too many digits
        return hex(value) if type(value) is int else "<{} that cannot be shown>".format(type(value).__name__)
