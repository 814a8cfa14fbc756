"""Objects of the candidate's made once more here: of the class that the text as it was has for them, out of plain data.

No code of the candidate's makes them or is in them, and no constructor is called with what it says. What is of a class
that the text as it was does not have becomes a likeness, which equals what is of the same class and holds the same.
"""

from __future__ import annotations

import collections
import enum
import types
from typing import Any, Dict, List, Optional, Tuple

from certo_worker.apart import containers
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.original_classes import Originals
from certo_worker.apart.proxies import Proxy
from certo_worker.apart.values import Unportable

_FIXED = (int, float, complex, str, bytes, tuple, frozenset)
_FILLED = (list, dict, set, bytearray, collections.deque)
_OF_PYTHON = 1 << 9
_MAX_DEPTH = 20


class Likeness:
    """What is known of an object whose class only the candidate's text has."""

    def __init__(self, kind: type):
        self.kind = kind
        self.value: Any = None
        self.attributes: Dict[str, Any] = {}

    def __eq__(self, other: object) -> bool:
        """Whether the other one is of the same class and holds the same; of what holds nothing none is like another."""
        if self is other:
            return True
        if not isinstance(other, Likeness) or self.kind is not other.kind:
            return False
        return (self.value, self.attributes) == (other.value, other.attributes) != (None, {})

    def __hash__(self) -> int:
        """Return the same for all of a class."""
        return id(self.kind)


class Twins:
    """Makes them. `client` asks what is in an object."""

    def __init__(self, client: Any, originals: Originals):
        self._client = client
        self._originals = originals
        self._classes: Dict[type, Optional[type]] = {}

    def original(self, mirror: type) -> Optional[type]:
        """Return the class as it was of a stand-in's class, or of the nearest one it is derived from."""
        if mirror not in self._classes:
            self._classes[mirror] = self._find(mirror)
        return self._classes[mirror]

    def is_as_it_was(self, mirror: type) -> bool:
        """Whether a stand-in's class is itself one of those that were there, and not only derived from one."""
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

    def of(self, *values: Any) -> Optional[Making]:
        """Make the twins of all stand-ins among values, and in containers there; None where that cannot be done."""
        things = [each for value in values for each in _stand_ins(value)]
        try:
            told = self._client.ask("states", values=things)
            return Making(self, told)
        except (PeerFailed, Unportable):
            raise
        except Exception:
            # Whatever the candidate gives instead, or has put into what it gives, there is nothing to compare.
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


class Making:
    """The making of all that one answer tells of."""

    def __init__(self, twins: Twins, told: Any):
        self._twins = twins
        self._made: Dict[int, Any] = {}
        self._copied: Dict[int, Any] = {}
        parts: List[Tuple[Any, Any, Any]] = []
        for each in told:
            proxy, value, attributes = each
            # What goes by value anyway, as an enumeration's member of ours may, needs no twin.
            if isinstance(proxy, Proxy) and type(attributes) is dict:
                parts.append((proxy, value, attributes))
        for proxy, _value, attributes in parts:
            self._begin(proxy, attributes)
        for proxy, value, attributes in parts:
            self._finish(proxy, value, attributes)

    def has(self, proxy: Proxy) -> bool:
        """Whether a stand-in has a twin, or a likeness."""
        return id(proxy) in self._made

    def _begin(self, proxy: Proxy, attributes: Dict[str, Any]) -> None:
        """Make what can be made before all others are: all but what cannot change once it is there."""
        kind = self._twins.original(type(proxy))
        if kind is None:
            self._made[id(proxy)] = Likeness(type(proxy))
        elif issubclass(kind, enum.Enum):
            self._made[id(proxy)] = _member(kind, attributes)
        elif not issubclass(kind, _FIXED) and kind not in _VIEWS.values():
            plain = next((each for each in _FILLED if issubclass(kind, each)), object)
            self._made[id(proxy)] = types.SimpleNamespace() if kind is types.SimpleNamespace else plain.__new__(kind)

    def _finish(self, proxy: Proxy, value: Any, attributes: Dict[str, Any]) -> None:
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
        """Return a value with the twins of what it holds in the place of those."""
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
    """Whether an object of a class is made by nothing more than the builtin class it is derived from."""
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
    """Put an attribute where it belongs: into a slot or the object's dictionary, and never before a method."""
    found = next((vars(kind)[name] for kind in type(twin).__mro__ if name in vars(kind)), None)
    if type(found) is types.MemberDescriptorType:
        found.__set__(twin, value)
    elif not hasattr(type(found), "__get__") or hasattr(type(found), "__set__"):
        own = object.__getattribute__(twin, "__dict__")
        own[name] = value
