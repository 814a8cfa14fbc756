"""Stubs of the tests' functions, coroutines, objects and exceptions in the candidate's process.

The originals stay in the test process, and each operation on a stub is a question to it.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, Generator, List, Optional, Tuple


class Callback:
    """The stub of a function, with the public attributes that the tests have set on it."""

    def __init__(self, server: Any, number: int, name: str, attributes: List[str]):
        self._server = server
        self._number = number
        self._attributes = attributes
        self.__name__ = self.__qualname__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._attributes:
            raise AttributeError(name)
        return self._server.ask_back("get", self._number, [], name)

    def _know(self, attributes: List[str]) -> None:
        """Replace the names of the attributes, as a test may set them after it has handed the function over."""
        self._attributes = attributes

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function in the test process."""
        return self._server.ask_back("callback", self._number, [list(arguments), named])


class Awaited:
    """The stub of a coroutine, which can only be awaited."""

    def __init__(self, server: Any, number: int):
        self._server = server
        self._number = number

    def __await__(self) -> Generator[Any, None, Any]:
        """Run the coroutine in the test process."""
        return self._server.ask_back("await", self._number, [])
        yield  # never reached; it makes this a generator function, as __await__ must return an iterator


class Handed:
    """The stub of an object, with public attributes and the special methods that were exported with it."""

    __slots__ = ("__weakref__", "_certo_hash", "_certo_number", "_certo_server")

    def __init__(self, server: Any, number: int):
        object.__setattr__(self, "_certo_server", server)
        object.__setattr__(self, "_certo_number", number)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._certo_server.ask_back("get", self._certo_number, [], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise AttributeError(name)
        self._certo_server.ask_back("set", self._certo_number, [value], name)


STUBS: Tuple[type, ...] = (Callback, Awaited, Handed)
"""The classes of stubs, besides those of exceptions."""


def handed_class(name: str, special: List[str], shown: Optional[type]) -> Any:
    """Return a class of stubs with these special methods; `shown` is their `__class__`, for isinstance."""
    space: Dict[str, Any] = {each: _special(each) for each in special}
    space.setdefault("__hash__", object.__hash__)
    if shown is not None:
        space["__class__"] = property(lambda _self: shown)
    return type(name, (Handed,), {**space, "__slots__": ()})


def _special(name: str) -> Callable[..., Any]:
    def method(self: Handed, *arguments: Any, **named: Any) -> Any:
        return self._certo_server.ask_back("callback", self._certo_number, [list(arguments), named], name)

    method.__name__ = name
    return _kept_hash(method) if name == "__hash__" else method


def _kept_hash(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `__hash__` that asks once: an OrderedDict hashes its keys also while it is sent, when nobody answers."""

    def hashed(self: Handed) -> int:
        if not hasattr(self, "_certo_hash"):
            object.__setattr__(self, "_certo_hash", ask(self))
        found: int = self._certo_hash
        return found

    return hashed


class _MadeThere(type):
    """The metaclass of the tests' exception classes: the constructor runs in the test process."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Construct the exception in the test process."""
        made_by = vars(cls).get("_certo_made_by")
        if made_by is None:
            return super().__call__(*arguments, **named)
        return made_by[0].ask_back("callback", made_by[1], [list(arguments), named])


def exception_class(server: Any, number: int, module: str, qualname: str, bases: List[type]) -> type:
    """Return a stub of an exception class of the tests, or the class itself if a module here has it."""
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return found
    space = {"__module__": module, "__str__": _said, "__getattr__": _attribute, "_certo_made_by": (server, number)}
    return _MadeThere(qualname.rpartition(".")[2], tuple(bases), space)


def exception(server: Any, number: int, kind: Any, arguments: Tuple[Any, ...], said: str) -> BaseException:
    """Return a stub of an exception of the tests, with its arguments and text."""
    try:
        error: BaseException = type.__call__(kind, *arguments)
    except Exception:
        error = kind.__new__(kind)
        error.args = arguments
    if isinstance(kind, _MadeThere):
        error.__dict__.update(_certo_said=said, _certo_made=(server, number))
    return error


def _said(self: Any) -> str:
    return str(vars(self).get("_certo_said", ""))


def _attribute(self: Any, name: str) -> Any:
    made = vars(self).get("_certo_made")
    if made is None or name.startswith("_"):
        raise AttributeError(name)
    return made[0].ask_back("get", made[1], [], name)
