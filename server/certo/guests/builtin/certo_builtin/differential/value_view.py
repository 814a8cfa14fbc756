"""Text of a value for comparison: equal values have equal texts, whatever their order and addresses.

Users read the `repr` of an object. Comparison also uses its attributes, because a `__repr__` may omit some that a
caller would see.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import re
import sys
import sysconfig
from types import (
    CoroutineType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, Dict, FrozenSet, List, Optional, Tuple, Type

_PLACES = [path for path in map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")) if path]
INSTALLED = tuple(path + os.sep for path in [*_PLACES, *map(os.path.realpath, _PLACES)])
"""Directories of Python's own modules and of installed packages."""


def attributes_of(value: Any) -> Optional[Dict[str, Any]]:
    """Return the values in an object's `__dict__` and slots by name; None if it has neither.

    Values cached by `functools.cached_property` are left out, because they exist only after an access.
    """
    found: Dict[str, Any] = {}
    has_any = False
    for kind in _ancestors(type(value)):
        for name, one in _names_of(kind).items():
            if type(one) is GetSetDescriptorType and name == "__dict__":
                has_any = True
                found.update(dict.items(one.__get__(value)))
            elif type(one) is MemberDescriptorType and not name.startswith("__"):
                has_any = True
                try:
                    found[name] = one.__get__(value)
                except AttributeError:  # a slot that nothing was put in
                    continue
    kept = {name: one for name, one in found.items() if not _is_cached(type(value), name)}
    return kept if has_any else None


def of_class(kind: type, name: str) -> Any:
    """Return the attribute of this name that a class gives its objects; None if there is none."""
    return next((_names_of(one)[name] for one in _ancestors(kind) if name in _names_of(one)), None)


def is_installed(kind: type) -> bool:
    """True if a class is from Python or an installed package, so that no candidate changes it."""
    name = _names_of(kind).get("__module__")
    # Built-in types have no module, or one for their instances.
    module = sys.modules.get(name if isinstance(name, str) else "builtins")
    if module is None:
        return False
    file = vars(module).get("__file__")
    return file is None or str(file).startswith(INSTALLED)


def _is_cached(kind: type, name: str) -> bool:
    return type(of_class(kind, name)) is functools.cached_property


def _ancestors(kind: type) -> Tuple[type, ...]:
    ancestors: Tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return ancestors


def _names_of(kind: type) -> Dict[str, Any]:
    names: Dict[str, Any] = type.__dict__["__dict__"].__get__(kind)
    return names


MAX_CHARACTERS = 5000
"""Length of a text up to which the place of a difference can be shown."""

MAX_DEPTH = 8
MAX_ITEMS = 1000
"""Maximum number of elements examined in a collection."""

MAX_TOTAL_ITEMS = 20000
"""Maximum number of nested values examined."""

COLLECTIONS = (list, tuple, set, frozenset, dict)

NAMED = (type, ModuleType, enum.Enum)
"""Types of objects that are identified by name."""

TEXTS = (str, bytes)

_LATER = (FunctionType, MethodType, CoroutineType)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+| id='[0-9]+'")
"""The address of an object in its repr; that of a mock is its `id`."""


class View:
    """A value as texts that differ if values do: `text` for users, and `state` with all contents.

    `is_opaque` is True if it is or contains a value that cannot be inspected.
    """

    def __init__(self, value: Any) -> None:
        within = _Look(through=True)
        self.text = shown(value)
        self.state = cut(within.look(value))
        self.is_opaque = within.is_opaque


def state_of(value: Any) -> str:
    """Return the `state` of a value alone, uncut."""
    return _Look(through=True).look(value)


def shown(value: Any) -> str:
    """Return a value in the text that a user reads; long ones are cut, with a digest of the whole."""
    return cut(_Look(through=False).look(value))


def cut(text: str) -> str:
    """Return a text as it is, or its beginning with a digest of all of it."""
    if len(text) <= MAX_CHARACTERS:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return "{}… ({:,} characters, {})".format(text[:MAX_CHARACTERS], len(text), digest)


class _Look:
    """One traversal of a value: `through` the reprs of the project's objects, or stopping at them."""

    def __init__(self, through: bool) -> None:
        self._through = through
        self._left = MAX_TOTAL_ITEMS
        self.is_opaque = False

    def look(self, value: Any) -> str:
        """Return the text of the value."""
        try:
            return self._shown(value, MAX_DEPTH, frozenset())
        except Exception:  # whatever the project has made of its classes
            self.is_opaque = True
            return "<something that cannot be shown>"

    def _shown(self, value: Any, depth: int, above: FrozenSet[int]) -> str:
        self._left -= 1
        if depth == 0 or self._left < 0 or id(value) in above:
            return "…"
        kind = type(value)
        inner = above | {id(value)}
        plain = next((one for one in COLLECTIONS if issubclass(kind, one)), None)
        if plain is kind:
            return self._collection(plain, value, depth, inner)
        if plain is not None and self._through:
            return _made(kind, [self._collection(plain, value, depth, inner), *self._attributes(value, depth, inner)])
        return self._object(value, depth, inner)

    def _object(self, value: Any, depth: int, inner: FrozenSet[int]) -> str:
        kind = type(value)
        says = of_class(kind, "__repr__")
        if says is not object.__repr__ and not self._through:
            return _represented(value)
        if issubclass(kind, NAMED):
            return _represented(value)
        if _is_later(value):
            self.is_opaque = True
            return _represented(value)
        if says is object.__repr__:
            inside = self._attributes(value, depth, inner)
            self.is_opaque |= not inside
            return _made(kind, inside)
        if is_installed(kind):
            # An inner object without a repr of its own appears in this one by its address only.
            self.is_opaque |= kind not in TEXTS and _ADDRESS.search(_said(value)) is not None
            return _represented(value)
        inside = self._attributes(value, depth, inner)
        if isinstance(says, FunctionType) and inside:
            return _made(kind, inside)
        self.is_opaque |= isinstance(says, FunctionType)
        return _made(kind, [_represented(value), *inside])

    def _attributes(self, value: Any, depth: int, inner: FrozenSet[int]) -> List[str]:
        held = attributes_of(value) or {}
        return sorted("{}={}".format(name, self._shown(one, depth - 1, inner)) for name, one in held.items())

    def _collection(self, plain: Type[Any], value: Any, depth: int, inner: FrozenSet[int]) -> str:
        if plain is dict:
            items = list(dict.items(value))[:MAX_ITEMS]
            pairs = [(self._shown(key, depth - 1, inner), self._shown(one, depth - 1, inner)) for key, one in items]
            inside = ["{}: {}".format(key, one) for key, one in pairs]
        else:
            inside = [self._shown(one, depth - 1, inner) for one in list(plain.__iter__(value))[:MAX_ITEMS]]
        size = plain.__len__(value)
        if size > MAX_ITEMS:
            inside.append("… {:,} in all".format(size))
        return _between(plain, inside)


def _made(kind: type, inside: List[str]) -> str:
    return "{}({})".format(kind.__name__, ", ".join(inside))


def _is_later(value: Any) -> bool:
    """True if the value acts only when it is called or iterated."""
    kind = type(value)
    return issubclass(kind, _LATER) or any(of_class(kind, name) is not None for name in ("__next__", "__anext__"))


def _between(plain: Type[Any], inside: List[str]) -> str:
    """Return the elements of a collection, written between its signs."""
    if plain is list:
        return "[" + ", ".join(inside) + "]"
    if plain is tuple:
        return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
    if plain is dict:
        return "{" + ", ".join(inside) + "}"
    inside.sort()
    if plain is frozenset:
        return "frozenset({" + ", ".join(inside) + "})" if inside else "frozenset()"
    return "{" + ", ".join(inside) + "}" if inside else "set()"


def _represented(value: Any) -> str:
    said = _said(value)
    return said if type(value) in TEXTS else _ADDRESS.sub("", said)


def _said(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # the project's own code; and Python shows no number of too many digits
        return hex(value) if type(value) is int else "<{} that cannot be shown>".format(type(value).__name__)
