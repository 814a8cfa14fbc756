"""What an object holds, as far as it is kept in attributes, read without a line of its own code being run."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Dict, Optional, Tuple

_PLACES = [path for path in map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")) if path]
INSTALLED = tuple(path + os.sep for path in [*_PLACES, *map(os.path.realpath, _PLACES)])
"""Where Python's own modules are, and those of installed packages."""


def attributes_of(value: Any) -> Optional[Dict[str, Any]]:
    """What is in its `__dict__` and its slots, by name; None for an object that has neither.

    What `functools.cached_property` has stored is left out, for it is there only if somebody has asked for it.
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
    """What the objects of a class have under a name by their class; None where there is nothing."""
    return next((_names_of(one)[name] for one in _ancestors(kind) if name in _names_of(one)), None)


def is_installed(kind: type) -> bool:
    """Whether a class is Python's own or an installed package's, so that nobody is about to change it."""
    name = _names_of(kind).get("__module__")
    # Types that are built in have none, or say it of their objects.
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
