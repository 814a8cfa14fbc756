"""The candidate's side of the connection: it imports the candidate's module and operates on its objects."""

from __future__ import annotations

import importlib
import socket
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from certo_worker.apart.class_descriptions import is_builtin_exception, special_methods
from certo_worker.apart.environment import follow, is_ours
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.object_state import states
from certo_worker.apart.object_stubs import Awaited, Callback, exception, exception_class, handed_class
from certo_worker.apart.output import Printed
from certo_worker.apart.rpc import RpcConnection

if TYPE_CHECKING:
    import asyncio


class Loop:
    """The event loop of the candidate's coroutines, created when the first one is awaited."""

    def __init__(self) -> None:
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    def wait(self, awaitable: Any) -> Any:
        """Run an awaitable to its end and return the result."""
        if self._loop is None:
            # Only few candidates need it, and every process that runs tests would take a sixth longer to start.
            import asyncio

            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_awaited(awaitable))


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


_MAX_CAUSE_DEPTH = 5

_NAMED = ("get", "own", "set", "delete", "call")


class Server(RpcConnection):
    """The server of the test process: it keeps the candidate's objects and refers to them by number."""

    def __init__(self, peer: socket.socket, printed: Printed):
        super().__init__(peer, first=1)
        self._printed = printed
        self._loop = Loop()
        self._objects: List[Any] = []
        self._numbers: Dict[int, int] = {}
        self._described: Dict[int, None] = {}
        self._handed: Dict[int, Any] = {}  # stubs of the tests' objects, by number
        self._theirs: Dict[int, int] = {}  # the numbers of these stubs, by identity
        self._busy = 0

    def serve(self) -> None:
        """Answer questions until the test process closes the connection."""
        while True:
            try:
                self.answer(self._frames.receive())
            except PeerFailed:
                return

    def reply(self, kind: str, place: int, name: str, values: List[Any]) -> Any:
        """Carry out one operation on the candidate's objects."""
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

    def ask_back(self, kind: str, number: int, values: List[Any], name: str = "") -> Any:
        """Ask the test process to use one of its objects; it listens only while it waits for an answer.

        Raises:
            RuntimeError: a thread of the candidate asks between two questions of the tests.
        """
        with self._lock:
            if not self._busy:
                raise RuntimeError("a function of the tests can be called only while the tests wait for the candidate")
            return self.ask(kind, number, name, values, keep=kind == "get")

    def tells(self, _error: BaseException) -> bool:
        """True: whatever the candidate raises is its answer."""
        return True

    def regret(self, error: Exception) -> Any:
        """Return the reason why the answer cannot be sent."""
        return ["u", "what the candidate gave " + str(error)]

    def raisable(self, value: Any) -> BaseException:
        """Return the exception that a callback raised."""
        return value if isinstance(value, BaseException) else RuntimeError("a callback failed")

    def aside(self) -> Dict[str, Any]:
        """Return the output since the last message."""
        return {"printed": self._printed.take()}

    def heed(self, message: Dict[str, Any]) -> None:
        """Take over the working directory and environment of the tests, if they changed."""
        follow(message.get("surroundings"))

    def refer(self, value: Any) -> List[Any]:
        """Pack a value by reference: a stub by its number in the test process, any other by a number of this one."""
        if type(value) is Awaited:
            return ["aw", value._number]
        if id(value) in self._theirs:
            return ["x", self._theirs[id(value)]]
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
            self._cause(cause, depth + 1) if cause is not None and depth < _MAX_CAUSE_DEPTH else None,
        ]

    def _cause(self, error: BaseException, depth: int) -> List[Any]:
        return ["x", self._theirs[id(error)]] if id(error) in self._theirs else self._exception(error, depth)

    def _carried(self, value: Any) -> Any:
        return self._values.pack(value)

    def resolve(self, packed: List[Any]) -> Any:
        """Unpack a reference to an object of the candidate, or to one of the tests, which gets a stub."""
        tag, rest = packed[0], packed[1:]
        if tag == "r":
            return self._objects[rest[0]]
        if tag == "n":
            return _found(importlib.import_module(rest[0]), rest[1])
        if tag == "aw":
            return Awaited(self, rest[0])
        if tag == "none":
            return None
        if tag == "fn":
            return self.resolve(rest[0])
        if tag in ("cb", "ob", "ec", "E"):
            if rest[0] not in self._handed:
                made = self._handed[rest[0]] = self._stand_in(tag, *rest)
                self._theirs[id(made)] = rest[0]
            elif tag == "cb":
                self._handed[rest[0]]._know(rest[2])
            return self._handed[rest[0]]
        raise PeerFailed("sent a malformed value")

    def _stand_in(self, tag: str, number: int, *told: Any) -> Any:
        """Return the stub of an object of the tests; sent back, it becomes the original object again."""
        if tag == "cb":
            return Callback(self, number, *told)
        if tag == "ob":
            name, special, shown = told
            return handed_class(name, special, self.resolve(shown))(self, number)
        if tag == "ec":
            module, qualname, bases = told
            return exception_class(self, number, module, qualname, [self.resolve(base) for base in bases])
        kind, arguments, held, said = told
        made = exception(self, number, self.resolve(kind), self._values.unpack(arguments), said)
        made.__dict__.update(self._values.unpack(held))
        return made


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
