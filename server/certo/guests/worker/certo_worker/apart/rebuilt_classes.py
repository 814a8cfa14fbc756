"""Proxy classes and exceptions, made from the descriptions that the candidate's process sends, which may be forged."""

from __future__ import annotations

import builtins
import os
import sys
import sysconfig
from typing import Any, Dict, List, Optional

from certo_worker.apart.class_descriptions import FORWARDED, is_builtin_exception
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.proxies import Proxy, Reference, RemoteErrorType, RemoteType, forwarding, reference_of
from certo_worker.apart.shared_state import is_of_tests
from certo_worker.apart.values import Values

_MAX_CLASSES = 5_000
_MAX_BASES = 32
_MAX_NAME = 300
_MAX_DEPTH = 60

# An exception class of these would skip the test or end the session. It would not fail the test.
_OF_THE_TESTS = ("pytest", "_pytest", "unittest", "pluggy", "certo_worker")

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
)


class MirroredClasses:
    """Proxy classes by number. `root` is the project's folder."""

    def __init__(self, client: Any, root: str):
        self._client = client
        self._root = os.path.realpath(root) + os.sep
        self._kinds: Dict[int, Any] = {}
        self._real: Dict[int, type] = {}
        self._errors: Dict[int, BaseException] = {}

    def is_own(self, file: str) -> bool:
        """True if a file belongs to the project, and not to a virtual environment inside its root."""
        file = os.path.realpath(file)
        return file.startswith(self._root) and not file.startswith(_LIBRARIES)

    def is_of_project(self, module: str) -> bool:
        """True if a module belongs to the project and is not a proxy of the candidate's."""
        here = sys.modules.get(module)
        file = getattr(here, "__dict__", {}).get("__file__")
        return isinstance(file, str) and reference_of(here) is None and self.is_own(file)

    def kind(self, packed: Any, depth: int = 0) -> Any:
        """Return the proxy class of a packed class, which is described in full the first time and by number afterwards.

        Raises:
            PeerFailed: the description is malformed.
        """
        if not isinstance(packed, list) or depth > _MAX_DEPTH:
            raise PeerFailed("described a class wrongly")
        if len(packed) == 2 and packed[0] == "k":
            if type(packed[1]) is int and packed[1] in self._kinds:
                return self._kinds[packed[1]]
        elif len(packed) == 9 and packed[0] == "K":
            return self._describe(packed[1:], depth)
        raise PeerFailed("described a class wrongly")

    def value(self, packed: Any) -> Any:
        """Return a class that is itself the value sent: for a builtin class, the builtin class of this process."""
        kind = self.kind(packed)
        return self._real.get(packed[1], kind)

    def _describe(self, parts: List[Any], depth: int) -> Any:
        number, module, name, qualname, exception, bases, methods, documented = parts
        names = (module, name, qualname)
        if not all(isinstance(each, str) and len(each) <= _MAX_NAME for each in names) or "\0" in name:
            raise PeerFailed("named a class wrongly")
        if type(number) is not int or number in self._kinds or len(self._kinds) >= _MAX_CLASSES:
            raise PeerFailed("numbered its classes wrongly")
        if not isinstance(bases, list) or len(bases) > _MAX_BASES or not isinstance(methods, list):
            raise PeerFailed("described a class wrongly")
        above = [self.kind(base, depth + 1) for base in bases]
        space = {"__module__": module, "__qualname__": qualname, "_certo_reference": Reference(self._client, number)}
        space["__doc__"] = documented if isinstance(documented, str) else None
        try:
            made = self._error(name, module, above, space) if exception else _class(name, above, methods, space)
        except TypeError:
            raise PeerFailed("described a class wrongly") from None
        self._kinds[number] = made
        real = getattr(builtins, name, None) if module == "builtins" else None
        if isinstance(real, type):
            self._real[number] = real
        return made

    def _error(self, name: str, module: str, above: List[Any], space: Dict[str, Any]) -> Any:
        found = self._everywhere(module, space["__qualname__"])
        if found is not None:
            return found
        bases = tuple(base for base in above if issubclass(base, BaseException)) or (Exception,)
        return RemoteErrorType(name, bases, {**space, **_ERROR})

    def _everywhere(self, module: str, qualname: str) -> Optional[type]:
        """Return an exception class of a library that both processes have, or None."""
        here = sys.modules.get(module)
        if here is None or module.partition(".")[0] in _OF_THE_TESTS:
            return None
        file = getattr(here, "__file__", None)
        if module != "builtins" and (not isinstance(file, str) or reference_of(here) is not None or is_of_tests(file)):
            return None
        found = vars(here).get(qualname)
        if module == "builtins":
            return found if is_builtin_exception(found) else None
        return found if isinstance(found, type) and issubclass(found, Exception) else None

    def exception(self, values: Values, *parts: Any) -> BaseException:
        """Return an exception with the class, arguments, attributes and text of the candidate's.

        Raises:
            PeerFailed: the description is malformed.
        """
        number, packed, arguments, said, attributes, cause = parts
        kind = self.kind(packed)
        arguments, attributes = values.unpack(arguments), values.unpack(attributes)
        if not (issubclass(kind, BaseException) and type(arguments) is tuple and type(attributes) is dict):
            raise PeerFailed("described an exception wrongly")
        if type(number) is not int or type(said) is not str:
            raise PeerFailed("described an exception wrongly")
        raised = self._client.resolve(cause) if isinstance(cause, list) and cause[:1] in (["E"], ["x"]) else None
        if issubclass(type(kind), RemoteErrorType):
            self._client.account.foreign()
        error = self._errors.get(number)
        if error is None or type(error) is not kind:
            error = self._errors[number] = _made(kind, arguments)
        if issubclass(type(kind), RemoteErrorType):
            error.__dict__["_certo_said"] = said
            error.__dict__["_certo_number"] = Reference(self._client, number)
        for name, value in attributes.items():
            if isinstance(name, str) and name.isidentifier() and not name.startswith("_certo_"):
                error.__dict__[name] = value
        error.__cause__ = raised
        return error


def _class(name: str, above: List[Any], methods: List[Any], space: Dict[str, Any]) -> Any:
    for method in methods:
        if method == "no hash":
            space["__hash__"] = None
        elif isinstance(method, str) and method in FORWARDED:
            space[method] = forwarding(method)
        else:
            raise PeerFailed("described a class wrongly")
    # As in a class statement, a class that defines __eq__ and not __hash__ is not hashable.
    space.setdefault("__hash__", object.__hash__ if "__eq__" not in space else None)
    bases = tuple(base for base in above if issubclass(base, Proxy)) or (Proxy,)
    return RemoteType(name, bases, {**space, "__slots__": ()})


def _made(kind: Any, arguments: Any) -> BaseException:
    base = next(each for each in kind.__mro__ if is_builtin_exception(each))
    error: BaseException
    try:
        error = base.__new__(kind, *arguments)
        base.__init__(error, *arguments)
    except Exception:
        error = base.__new__(kind)
    error.args = arguments
    return error


def _said(self: Any) -> str:
    said = self.__dict__.get("_certo_said")
    return said if isinstance(said, str) else BaseException.__str__(self)


def _attribute(self: Any, name: str) -> Any:
    reference = self.__dict__.get("_certo_number")
    if reference is None:
        raise AttributeError(name)
    return reference.get(name)


def _own_reference(self: Any) -> Optional[Reference]:
    found = self.__dict__.get("_certo_number")
    return found if isinstance(found, Reference) else None


_ERROR = {"__str__": _said, "__getattr__": _attribute, "_certo_reference_of": _own_reference}
