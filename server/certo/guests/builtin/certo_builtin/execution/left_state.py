"""State that candidates leave behind in the module of their function, where the original code may never look."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Set

from certo_builtin.execution.unasked_values import is_class, parts_of

MAX_DEPTH = 3
"""How deep containers and the module's own classes and objects are looked into."""

MAX_PARTS = 1000
"""Maximum number of objects that are looked at for each name."""

_length = len
"""The builtin as it was before any test, for a test may replace it."""

_UNTOLD = frozenset(("__builtins__", "__warningregistry__", "__dict__", "__weakref__", "_abc_impl"))
"""Names whose values Python itself changes."""


class ModuleState:
    """The values of the names of modules when this is made, by identity, with those of their parts."""

    def __init__(self, namespaces: List[Dict[str, Any]]) -> None:
        self._namespaces = namespaces
        self._before = self._seen()

    def changed(self) -> Set[str]:
        """Return the names whose values are now others, or have other parts."""
        now = self._seen()
        return {name for name in {*now, *self._before} if now.get(name) != self._before.get(name)}

    def _seen(self) -> Dict[str, List[int]]:
        return {
            "{}.{}".format(number, name): _identities(value, namespace.get("__name__"))
            for number, namespace in enumerate(self._namespaces)
            for name, value in list(namespace.items())
            if name not in _UNTOLD
        }


def _identities(value: Any, module: Any) -> List[int]:
    """Return the identities of a value and its parts, level by level."""
    found = [id(value)]
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [part for one in level for part in _parts(one, module)][: MAX_PARTS - _length(found)]
        found += map(id, level)
    return found


def _parts(value: Any, module: Any) -> Iterable[Any]:
    """Return the parts of a plain container, or of a class or object of the module itself."""
    kind = type(value)
    if kind is dict:
        return [part for pair in list(value.items()) for part in pair]
    if kind in (list, tuple, set, frozenset):
        return list(value)
    home = getattr(value, "__module__", None) if is_class(value) else kind.__module__
    if module not in (home, kind.__module__):
        return ()
    return [one for name, one in list(parts_of(value).items()) if name not in _UNTOLD]
