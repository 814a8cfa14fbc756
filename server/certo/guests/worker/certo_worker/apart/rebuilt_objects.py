"""Twins: copies of the candidate's objects in the test process, instances of the original classes.

The operators of the original classes decide assertions (see `comparison`), and they need objects to work on. A twin is
rebuilt from the state that the candidate's process sends (see `object_state`), which is plain data. The candidate's
code has no part in it, and no constructor, property or `__setattr__` runs either: `__new__` of the builtin base makes
the instance, and attributes are written into slots and `__dict__`. So a twin holds what the candidate's object holds,
and behaves as the user's class defines.

An object of a class that the original source does not have becomes a `Likeness`, which is equal to one of the same
class and state.
"""

from __future__ import annotations

import collections
import enum
import types
from typing import Any, Dict, List, Optional, Tuple

from certo_worker.apart import containers
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.original_classes import OriginalClasses
from certo_worker.apart.proxies import Proxy
from certo_worker.apart.values import Unportable

_FIXED = (int, float, complex, str, bytes, tuple, frozenset)
_FILLED = (list, dict, set, bytearray, collections.deque)
_OF_PYTHON = 1 << 9
_MAX_DEPTH = 20


class Likeness:
    """The copy of an object whose class exists only in the candidate's source."""

    def __init__(self, kind: type):
        self.kind = kind
        self.value: Any = None
        self.attributes: Dict[str, Any] = {}

    def __eq__(self, other: object) -> bool:
        """True if the other has the same class and state; objects without any state are equal only to themselves."""
        if self is other:
            return True
        if not isinstance(other, Likeness) or self.kind is not other.kind:
            return False
        return (self.value, self.attributes) == (other.value, other.attributes) != (None, {})

    def __hash__(self) -> int:
        """Return the same hash for all objects of a class, because a state may not be hashable."""
        return id(self.kind)


class Twins:
    """The maker of twins. `client` fetches the states of objects."""

    def __init__(self, client: Any, originals: OriginalClasses):
        self._client = client
        self._originals = originals
        self._classes: Dict[type, Optional[type]] = {}

    def original(self, mirror: type) -> Optional[type]:
        """Return the original class of a proxy class or of its nearest base that has one, or None."""
        if mirror not in self._classes:
            self._classes[mirror] = self._find(mirror)
        return self._classes[mirror]

    def is_as_it_was(self, mirror: type) -> bool:
        """True if a proxy class itself has an original class, and not only one of its bases."""
        named = _plain_kind(mirror) or self._originals.find(mirror.__module__, mirror.__qualname__)
        return named is not None

    def _find(self, mirror: type) -> Optional[type]:
        for base in mirror.__mro__:
            if base is Proxy:
                break
            found = _plain_kind(base) or self._originals.find(base.__module__, base.__qualname__)
            if found is not None:
                return found if _can_be_made(found) else None
        return None

    def of(self, *values: Any) -> Optional[TwinBuilder]:
        """Make the twins of all proxies in values and in their containers; None if that fails."""
        things = [each for value in values for each in _stand_ins(value)]
        try:
            told = self._client.ask("states", values=things)
            return TwinBuilder(self, told)
        except (PeerFailed, Unportable):
            raise
        except Exception:
            # The candidate raised instead of answering, or sent a state from which no object can be made.
            return None


def _plain_kind(mirror: type) -> Optional[type]:
    if mirror.__module__ != "builtins" and mirror.__name__ != "deque":
        return None
    found = next((each for each in (*_FIXED, *_FILLED) if each.__name__ == mirror.__name__), None)
    return found or _VIEWS.get(mirror.__name__)


def _stand_ins(value: Any, depth: int = 0) -> List[Any]:
    if isinstance(value, Proxy):
        return [value]
    if depth > _MAX_DEPTH or type(value) is bytearray:
        return []
    if type(value) in containers.TAGS or type(value) in (tuple, frozenset):
        return [found for each in containers.contents(value) for found in _stand_ins(each, depth + 1)]
    return []


class TwinBuilder:
    """The twins of one answer, made in two passes.

    Objects may refer to each other in cycles, so the first pass makes all instances that can be filled later, and the
    second pass fills them. Instances of immutable builtin classes, such as subclasses of int or tuple, need their value
    when they are made; they are left to the second pass. The answer lists inner objects first, so a tuple finds its
    items made.
    """

    def __init__(self, twins: Twins, told: Any):
        self._twins = twins
        self._made: Dict[int, Any] = {}
        self._copied: Dict[int, Any] = {}
        parts: List[Tuple[Any, Any, Any]] = []
        for each in told:
            proxy, value, attributes = each
            # Some objects arrive by value, because both processes have them; these need no twin.
            if isinstance(proxy, Proxy) and type(attributes) is dict:
                parts.append((proxy, value, attributes))
        for proxy, _value, attributes in parts:
            self._begin(proxy, attributes)
        for proxy, value, attributes in parts:
            self._finish(proxy, value, attributes)

    def has(self, proxy: Proxy) -> bool:
        """True if a proxy has a twin or a likeness."""
        return id(proxy) in self._made

    def _begin(self, proxy: Proxy, attributes: Dict[str, Any]) -> None:
        """Make the empty instance of a mutable object, to be filled in `_finish`."""
        kind = self._twins.original(type(proxy))
        if kind is None:
            self._made[id(proxy)] = Likeness(type(proxy))
        elif issubclass(kind, enum.Enum):
            self._made[id(proxy)] = _member(kind, attributes)
        elif not issubclass(kind, _FIXED) and kind not in _VIEWS.values():
            plain = next((each for each in _FILLED if issubclass(kind, each)), object)
            self._made[id(proxy)] = types.SimpleNamespace() if kind is types.SimpleNamespace else plain.__new__(kind)

    def _finish(self, proxy: Proxy, value: Any, attributes: Dict[str, Any]) -> None:
        """Fill an instance, or make it if it is immutable."""
        kind: Any = self._twins.original(type(proxy))
        if kind is not None and issubclass(kind, enum.Enum):
            return
        value = self.mapped(value)
        if kind in _VIEWS.values():
            self._made[id(proxy)] = _view(kind, value)
            return
        if id(proxy) not in self._made:
            plain = next(each for each in _FIXED if issubclass(kind, each))
            if type(value) is not plain:
                raise TypeError("it holds another value than its class does")
            self._made[id(proxy)] = plain.__new__(kind, value) if kind is not plain else value
        twin = self._made[id(proxy)]
        if type(twin) is Likeness:
            twin.value, twin.attributes = value, self.mapped(attributes)
            return
        if isinstance(twin, _FILLED):
            _fill(twin, value)
        for name, each in attributes.items():
            _set(twin, name, self.mapped(each))

    def mapped(self, value: Any) -> Any:
        """Return a copy of a value with twins in the place of proxies; aliases stay aliases."""
        if isinstance(value, Proxy):
            return self._made.get(id(value), value)
        if type(value) in (tuple, frozenset):
            return type(value)(self.mapped(each) for each in value)
        if type(value) not in containers.TAGS or type(value) is bytearray:
            return value
        if id(value) not in self._copied:
            kind: Any = type(value)
            copy = containers.empty(containers.TAGS[kind], containers.shape(value))
            self._copied[id(value)] = copy
            containers.refill(copy, [self.mapped(each) for each in containers.contents(value)])
        return self._copied[id(value)]


_NONE: Dict[Any, Any] = {}
_VIEWS: Dict[str, type] = {
    kind.__name__: kind
    for kind in (type(_NONE.keys()), type(_NONE.values()), type(_NONE.items()), types.MappingProxyType)
}


def _view(kind: Any, value: Any) -> Any:
    if kind is types.MappingProxyType:
        return types.MappingProxyType(value)
    if kind is _VIEWS["dict_keys"]:
        return dict.fromkeys(value).keys()
    return dict(value).items() if kind is _VIEWS["dict_items"] else dict(enumerate(value)).values()


def _can_be_made(kind: type) -> bool:
    """True if all builtin bases of a class can be made from their value alone."""
    if kind is types.SimpleNamespace or kind in _VIEWS.values():
        return True
    above = [base for base in kind.__mro__ if not base.__flags__ & _OF_PYTHON]
    return all(base is object or base in _FIXED or base in _FILLED for base in above)


def _member(kind: Any, attributes: Dict[str, Any]) -> Any:
    name, value = attributes.get("_name_"), attributes.get("_value_")
    if type(name) is str and name in kind.__members__:
        return kind.__members__[name]
    if issubclass(kind, enum.Flag) and type(value) is int:
        return kind(value)
    raise ValueError("it is no member")


def _fill(twin: Any, value: Any) -> None:
    if isinstance(twin, dict):
        for key, each in value.items():
            dict.__setitem__(twin, key, each)
    elif isinstance(twin, list):
        list.extend(twin, value)
    elif isinstance(twin, set):
        set.update(twin, value)
    elif isinstance(twin, bytearray):
        bytearray.extend(twin, value)
    else:
        collections.deque.extend(twin, value)


def _set(twin: Any, name: str, value: Any) -> None:
    """Write an attribute into its slot or the object's dictionary.

    An attribute named like a method is dropped: in the dictionary it would shadow the original method, so a candidate
    could replace a method that the operators call.
    """
    found = next((vars(kind)[name] for kind in type(twin).__mro__ if name in vars(kind)), None)
    if type(found) is types.MemberDescriptorType:
        found.__set__(twin, value)
    elif not hasattr(type(found), "__get__") or hasattr(type(found), "__set__"):
        own = object.__getattribute__(twin, "__dict__")
        own[name] = value
