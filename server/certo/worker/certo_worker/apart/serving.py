"""The candidate's side: it imports what it is asked to import, and does with it what it is asked to do."""

from __future__ import annotations

import importlib
import socket
import sys
from types import ModuleType
from typing import Any, Callable, Dict, Generator, List, Tuple

from certo_worker.apart.awaiting import Loop
from certo_worker.apart.conversation import Conversation
from certo_worker.apart.describing import is_builtin_exception, special_methods
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.inside import states
from certo_worker.apart.printed import Printed
from certo_worker.apart.surroundings import follow
from certo_worker.apart.unseen import is_ours

_DEEPEST_CAUSE = 5

_NAMED = ("get", "own", "set", "delete", "call")


class Callback:
    """A function of the tests, as the candidate sees it: it can be called, and nothing else."""

    def __init__(self, server: Server, number: int, name: str):
        self._server = server
        self._number = number
        self.__name__ = self.__qualname__ = name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Let the tests' process call it."""
        return self._server.ask_back("callback", self._number, [list(arguments), named])


class Awaited:
    """A coroutine of the tests, as the candidate sees it: it can be awaited, and nothing else."""

    def __init__(self, server: Server, number: int):
        self._server = server
        self._number = number

    def __await__(self) -> Generator[Any, None, Any]:
        """Let the tests' process run it."""
        return self._server.ask_back("await", self._number, [])
        yield  # never reached, but it makes this the generator that Python asks an awaitable for


class Server(Conversation):
    """Holds the candidate's objects and hands out numbers for them."""

    def __init__(self, peer: socket.socket, printed: Printed):
        super().__init__(peer, first=1)
        self._printed = printed
        self._loop = Loop()
        self._objects: List[Any] = []
        self._numbers: Dict[int, int] = {}
        self._described: Dict[int, None] = {}
        self._callbacks: Dict[int, Callback] = {}
        self._theirs: Dict[int, Tuple[BaseException, int]] = {}  # exceptions of the tests, by identity
        self._busy = 0

    def serve(self) -> None:
        """Answer until the tests' process has no more questions."""
        while True:
            try:
                self.answer(self._frames.receive())
            except PeerFailed:
                return

    def reply(self, kind: str, place: int, name: str, values: List[Any]) -> Any:
        """Do what is asked."""
        self._busy += 1
        try:
            if kind == "import":
                return _import(name, values[0])
            if kind == "states":
                return states(values)
            asked: Dict[str, Callable[..., Any]] = {
                "get": getattr,
                "set": setattr,
                "delete": delattr,
                "call": _call,
                "await": self._loop.wait,
                "names": _names,
                "own": _own,
            }
            thing = self._objects[place]
            return asked[kind](thing, *([name] if kind in _NAMED else []), *values)
        finally:
            self._busy -= 1

    def ask_back(self, kind: str, number: int, values: List[Any]) -> Any:
        """Have a function or a coroutine of the tests run, which listen only while they wait for an answer."""
        with self._lock:
            if not self._busy:
                raise RuntimeError("a function of the tests can be called only while the tests wait for the candidate")
            return self.ask(kind, number, "", values)

    def tells(self, _error: BaseException) -> bool:
        """Whatever the candidate raises is its answer."""
        return True

    def regret(self, error: Exception) -> Any:
        """Say why there is no answer."""
        return ["u", "what the candidate gave " + str(error)]

    def raisable(self, value: Any) -> BaseException:
        """Return what a callback raised."""
        return value if isinstance(value, BaseException) else RuntimeError("a callback failed")

    def aside(self) -> Dict[str, Any]:
        """What was printed and logged meanwhile."""
        return {"printed": self._printed.take()}

    def heed(self, message: Dict[str, Any]) -> None:
        """Move where the tests have moved."""
        follow(message.get("surroundings"))

    def refer(self, value: Any) -> List[Any]:
        """Pack what does not go by value as the number of an object kept here."""
        if type(value) is Callback:
            return ["cb", value._number]
        if type(value) is Awaited:
            return ["aw", value._number]
        if id(value) in self._theirs:
            return ["x", self._theirs[id(value)][1]]
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, BaseException):
            return self._exception(value, 0)
        return ["r", self._number(value), self._class(type(value))]

    def _number(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = len(self._objects)
            self._objects.append(value)
            self._numbers[id(value)] = number
        return number

    def _class(self, kind: type) -> List[Any]:
        number = self._number(kind)
        if number in self._described:
            return ["k", number]
        self._described[number] = None
        bases = [self._class(base) for base in kind.__bases__ if base is not object]
        exception = issubclass(kind, BaseException)
        methods = [] if exception else special_methods(kind)
        documented = kind.__doc__ if type(kind.__doc__) is str else None
        names = [str(kind.__module__), str(kind.__name__), str(kind.__qualname__)]
        return ["K", number, *names, exception, bases, methods, documented]

    def _exception(self, error: BaseException, depth: int) -> List[Any]:
        kind = type(error)
        attributes = {name: value for name, value in vars(error).items() if not name.startswith("__")}
        cause = error.__cause__
        return [
            "E",
            self._number(error),
            self._class(kind),
            self._carried(error.args),
            "" if is_builtin_exception(kind) else _said(error),
            self._carried(attributes),
            self._exception(cause, depth + 1) if cause is not None and depth < _DEEPEST_CAUSE else None,
        ]

    def _carried(self, value: Any) -> Any:
        return self._values.pack(value)

    def resolve(self, packed: List[Any]) -> Any:
        """Unpack a reference to an object here, or one to something of the tests."""
        tag, rest = packed[0], packed[1:]
        if tag == "r":
            return self._objects[rest[0]]
        if tag == "n":
            return _found(importlib.import_module(rest[0]), rest[1])
        if tag == "cb":
            number, name = rest
            return self._callbacks.setdefault(number, Callback(self, number, name))
        if tag == "aw":
            return Awaited(self, rest[0])
        if tag == "E":
            return self._stand_in(*rest)
        if tag == "none":
            return None
        raise PeerFailed("sent what is no value")

    def _stand_in(self, number: int, module: str, base: str, name: str, args: Any, said: str) -> BaseException:
        """Make an exception like one of the tests; when it comes back to them it is theirs again."""
        kind: Any = getattr(importlib.import_module(module), base)
        if kind.__name__ != name:
            kind = type(name, (kind,), {"__str__": lambda _self: said})
        arguments = self._values.unpack(args)
        try:
            error: BaseException = kind(*arguments)
        except Exception:
            error = kind.__new__(kind)
            error.args = tuple(arguments)
        self._theirs[id(error)] = (error, number)
        return error


def _import(name: str, paths: List[str]) -> ModuleType:
    for path in reversed(paths):
        if path not in sys.path and not is_ours(path):
            sys.path.insert(0, path)
    return importlib.import_module(name)


def _call(thing: Any, name: str, arguments: List[Any], named: Dict[str, Any]) -> Any:
    function = getattr(thing, name) if name else thing
    return function(*arguments, **named)


def _own(thing: Any, name: str) -> Any:
    return vars(thing)[name]


def _names(thing: Any) -> List[str]:
    return list(dir(thing))


def _found(thing: Any, path: str) -> Any:
    for name in path.split(".") if path else []:
        thing = getattr(thing, name)
    return thing


def _said(error: BaseException) -> str:
    try:
        return str(error)[:10_000]
    except Exception as failure:
        return "<its __str__ raised {}>".format(type(failure).__name__)
