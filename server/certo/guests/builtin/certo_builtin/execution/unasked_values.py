"""Values of the project, looked at without asking them: lazy ones run the project's code when asked, which may raise.

`isinstance` asks a value for its `__class__`, and `vars` for its `__dict__`.
"""

from __future__ import annotations

from types import MappingProxyType, ModuleType
from typing import Any, Mapping


def is_class(value: Any) -> bool:
    """True if a value is a class."""
    return issubclass(type(value), type)


def is_exception(value: Any) -> bool:
    """True if a value is a class of exceptions."""
    return is_class(value) and issubclass(value, BaseException)


def is_module(value: Any) -> bool:
    """True if a value is a module, also one that is not loaded yet."""
    return issubclass(type(value), ModuleType)


def parts_of(value: Any) -> Mapping[str, Any]:
    """Return the attributes that a value itself has now; none if only its own code knows."""
    try:
        found: Mapping[str, Any] = object.__getattribute__(value, "__dict__")
    except Exception:  # a project's own property may raise
        return {}
    return found if type(found) in (dict, MappingProxyType) else {}


def parts_of_module(value: Any) -> Mapping[str, Any]:
    """Return the names of a module and their values; none if it is no module."""
    return parts_of(value) if is_module(value) else {}
