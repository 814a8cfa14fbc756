"""The test process's side of the connection: it asks for the candidate's objects and checks all that it receives.

The candidate's process runs the code under test, so each of its messages may be forged. Nothing that it sends is
executed here, and no exception that it sends can end the test session.
"""

from __future__ import annotations

import builtins
import functools
import socket
import sys
import types
from types import ModuleType
from typing import Any, Dict, List, Tuple

from certo_worker import STAND_INS
from certo_worker.apart.comparison import ComparisonJudge
from certo_worker.apart.environment import EnvironmentChanges
from certo_worker.apart.expectations import KnownWords, may_be_made_from
from certo_worker.apart.exported_objects import ExportedObjects, is_data
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.original_classes import OriginalClasses
from certo_worker.apart.output import show
from certo_worker.apart.proxies import Proxy, Reference, make_proxy, reference_of
from certo_worker.apart.rebuilt_classes import MirroredClasses
from certo_worker.apart.rebuilt_objects import Twins
from certo_worker.apart.rpc import RpcConnection
from certo_worker.apart.values import Unportable
from certo_worker.canary.wrong_values import beside
from certo_worker.observation.case_record import CaseRecord
from certo_worker.observation.clock import TimeIsUp

_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)

_ORDINARY = frozenset(("function", "method", "builtin_function_or_method", "module", "type", "_lru_cache_wrapper"))
"""Classes whose objects any module holds; receiving one does not make a test depend on the candidate's objects."""

_WARNINGS = {
    name: kind for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Warning)
}


class Client(RpcConnection):
    """The client of the candidate's process. `account` records what a test does that does not work in two processes."""

    def __init__(self, peer: socket.socket, account: CaseRecord, root: str, originals: OriginalClasses):
        super().__init__(peer, first=0)
        self.account = account
        account.is_gone = lambda: self.lost is not None
        self.deciding = ComparisonJudge(account, Twins(self, originals), originals)
        self._mirrors = MirroredClasses(self, root)
        self._exported = ExportedObjects(
            account, self._mirrors.is_of_project, KnownWords(originals.text, originals.file, root)
        )
        self._surroundings = EnvironmentChanges()
        self._root = root
        self._proxies: Dict[int, Any] = {}
        self._made: Dict[int, Tuple[Reference, str, Tuple[Any, ...], Dict[str, Any]]] = {}
        self._ours: List[Any] = []  # exported functions, objects and exceptions, by their number
        self._numbers: Dict[int, int] = {}

    def reply(self, kind: str, place: int, name: str, values: List[Any]) -> Any:
        """Use an object of the tests in one of the ways that are allowed to the candidate."""
        thing = self._our(place)
        if kind == "await" and not values:
            return self._driven(thing)
        if kind == "get" and not values:
            return self._exported.get(thing, name)
        if kind == "set" and len(values) == 1:
            return self._exported.set(thing, name, values[0])
        if kind != "callback" or len(values) != 2 or type(values[0]) is not list or type(values[1]) is not dict:
            raise PeerFailed("sent a request that is not allowed")
        return self._exported.call(thing, name, *values)

    def _driven(self, coroutine: Any) -> Any:
        """Run a coroutine of the tests to its end; it may not suspend, since their event loop is blocked meanwhile."""
        if not isinstance(coroutine, types.CoroutineType):
            raise PeerFailed("awaited what is no coroutine")
        try:
            with self._exported.watched():
                coroutine.send(None)
        except StopIteration as ended:
            return ended.value
        coroutine.close()
        self.account.unsupported("it hands over a coroutine function that waits, while its event loop stands still")
        raise RuntimeError("a coroutine of the tests cannot wait for something in two processes")

    def tells(self, error: BaseException) -> bool:
        """True except for the time limit and the user's break, which the candidate must not catch."""
        return not isinstance(error, (TimeIsUp, KeyboardInterrupt))

    def regret(self, error: Exception) -> Any:
        """Return a packed TypeError for a callback whose result cannot be sent."""
        self.account.unsupported("a function that the test hands over returns something that cannot be carried")
        return self._exception(TypeError(str(error)))

    def raisable(self, value: Any) -> BaseException:
        """Return an exception of the candidate that may be raised in the test process.

        A KeyboardInterrupt or pytest's own Exit would end the session, and so would a SystemExit between two tests.
        They are replaced by a RuntimeError.
        """
        if not isinstance(value, BaseException):
            return PeerFailed("raised something that is not an exception")
        if isinstance(value, Exception) or any(value is each for each in self._ours):
            return value
        if isinstance(value, SystemExit) and self.account.running:
            return value
        return RuntimeError("the candidate raised {}".format(type(value).__name__))

    def aside(self) -> Dict[str, Any]:
        """Return the working directory and the environment, if a test changed them."""
        changed = self._surroundings.changed()
        return {} if changed is None else {"surroundings": changed}

    def heed(self, message: Dict[str, Any]) -> None:
        """Print and log the candidate's output."""
        show(message.get("printed"), _WARNINGS)

    def note_change(self, container: Any) -> None:
        """Record that the candidate changed a container of the tests from which they may make their expectation."""
        name = may_be_made_from(container)
        if name:
            self.account.influences("the candidate changes {}, from which the test makes what it expects".format(name))

    def refer(self, value: Any) -> List[Any]:
        """Pack a value by reference.

        A proxy becomes the number of the candidate's object, anything importable on both sides its name, and an object
        of the tests a number under which the candidate may use it.

        Raises:
            Unportable: the value has no form that the candidate could use.
        """
        known = reference_of(value)
        if known is not None:
            return ["r", known.number]
        if issubclass(type(value), BaseException):
            return self._exception(value)
        named = _stood_in_for(value) or (self._is_everywhere(value) and (value.__module__, value.__qualname__))
        if named:
            return ["n", *named]
        if isinstance(value, type) and issubclass(value, BaseException):
            return self._exception_class(value)
        if self._exported.is_handed(value):
            return self._object(value)
        if isinstance(value, types.TracebackType):
            return ["none"]
        if isinstance(value, types.CoroutineType):
            return ["aw", self._number(value)]
        if isinstance(value, ModuleType):
            return ["n", value.__name__, ""]
        if callable(value) and not isinstance(value, type):
            self._warn(value, partly=type(value) not in _FUNCTIONS)
            name = str(getattr(value, "__name__", type(value).__name__))
            return ["cb", self._number(value), name, self._exported.attributes(value)]
        self.account.unsupported("it hands over {}, which cannot be carried".format(_naming(value)))
        raise Unportable("{} cannot be carried to the candidate's process".format(_naming(value)))

    def _warn(self, value: Any, *, partly: bool) -> None:
        """Record why a failure of this test may come from the separation alone."""
        if not self.account.running:
            self.account.unsupported("its test file hands a function over, of which only calls are carried")
        if partly:
            self.account.unsupported("it hands over {}, of which not everything is carried".format(_naming(value)))

    def _object(self, value: Any) -> List[Any]:
        """Pack an object of the tests by number, with its `__class__` if the candidate has that class too."""
        self._warn(value, partly=True)
        kind = getattr(value, "__class__", type(value))
        known = kind is not type(value) and (reference_of(kind) is not None or self._is_everywhere(kind))
        shown = self.refer(kind) if known else ["none"]
        return ["ob", self._number(value), type(value).__name__, self._exported.special(value), shown]

    def _exception_class(self, kind: Any) -> List[Any]:
        """Pack an exception class of the tests: the candidate can catch it, and instances are made in this process."""
        bases = [self.refer(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        return ["ec", self._number(kind), kind.__module__, kind.__qualname__, bases]

    def _is_everywhere(self, value: Any) -> bool:
        """True for a function or class of a library, which the candidate's process can import by its name."""
        if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            return False
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        path = getattr(value, "__qualname__", "")
        if module is None or not isinstance(path, str):
            return False
        file = getattr(module, "__file__", None)
        if file is not None and self._mirrors.is_own(file):
            return False
        found: Any = module
        for name in path.split("."):
            found = getattr(found, name, None)
        return found is value

    def _exception(self, error: BaseException) -> List[Any]:
        try:
            arguments = self._values.pack(tuple(error.args))
        except Unportable:
            arguments = self._values.pack((str(error),))
        held = {name: value for name, value in vars(error).items() if is_data(value)}
        return ["E", self._number(error), self.refer(type(error)), arguments, self._values.pack(held), str(error)]

    def _number(self, value: Any) -> int:
        number = self._numbers.get(id(value))
        if number is None:
            number = len(self._ours)
            self._ours.append(value)
            self._numbers[id(value)] = number
        return number

    def note_made(self, value: Any, reference: Reference, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> None:
        """Remember the arguments of a constructor call, from which `decoy` makes an object that differs."""
        changeable = [each for each in (*arguments, *named.values()) if type(each) in (int, float, str)]
        if isinstance(value, Proxy) and changeable and type(value).__name__ not in _ORDINARY:
            self._made[id(value)] = (reference, "", arguments, named)

    def decoy(self, value: Any) -> Any:
        """Return a proxy of an object that should not equal that of the proxy `value`; None for any other value.

        An object that the tests constructed is constructed again with other arguments. For all others an object of
        another class is taken.
        """
        if not isinstance(value, Proxy):
            return None
        made = self._made.get(id(value))
        if made is not None:
            try:
                return made[0].call(
                    made[1], *map(_otherwise, made[2]), **{k: _otherwise(v) for k, v in made[3].items()}
                )
            except PeerFailed:
                raise
            except Exception:
                # The constructor rejects the other arguments.
                self._made.pop(id(value))
        return next((each for each in self._proxies.values() if type(each) is not type(value)), None)

    def _our(self, number: Any) -> Any:
        if type(number) is not int or not 0 <= number < len(self._ours):
            raise PeerFailed("referred to an unknown value")
        return self._ours[number]

    def resolve(self, packed: List[Any]) -> Any:
        """Unpack a reference: to an object of the tests, or to one of the candidate's, which gets a proxy."""
        tag, rest = packed[0], packed[1:]
        if tag == "r":
            return self._proxy(*rest)
        if tag in ("k", "K"):
            return self._mirrors.value(packed)
        if tag == "E":
            return self._mirrors.exception(self._values, *rest)
        if tag in ("aw", "cb", "x"):
            return self._our(rest[0])
        if tag == "fn":
            # The defaultdict is here, but what its factory makes comes from the candidate's process.
            self.account.foreign()
            return self.resolve(rest[0])
        if tag == "u":
            self.account.foreign()
            return RuntimeError(str(rest[0])[:300])
        raise PeerFailed("sent a malformed value")

    def _proxy(self, number: Any, kind: Any) -> Any:
        if type(number) is not int or number < 0:
            raise PeerFailed("numbered its values wrongly")
        mirror = self._mirrors.kind(kind)
        if mirror.__name__ not in _ORDINARY:
            self.account.foreign()
        if number not in self._proxies:
            if not (isinstance(mirror, type) and issubclass(mirror, Proxy)):
                raise PeerFailed("described an object wrongly")
            self._proxies[number] = make_proxy(mirror, Reference(self, number))
        return self._proxies[number]


def _otherwise(value: Any) -> Any:
    return beside(value) if type(value) in (int, float, str) else value


def _naming(value: Any) -> str:
    return "an object of " + type(value).__name__


def _stood_in_for(value: Any) -> Tuple[str, ...]:
    """Return the module and name of the library's function that one of ours stands in for; nothing for any other.

    The candidate gets that of its own process: ours would open files in this one, which sees the tests.
    """
    return next(((module, name) for ours, module, name in STAND_INS if ours is value), ())
