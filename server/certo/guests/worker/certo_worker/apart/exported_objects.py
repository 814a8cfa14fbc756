"""Objects of the tests that a candidate is handed: which they are, and what its process may do with one.

It may call what is handed over, read and set public attributes and use the special methods that are listed with it.
Nothing it may do shows it how a mock was called, or lets an object of the candidate's take the place of a mock.

Three things that it may do can decide what the test asserts: changing an attribute that the tests have set; going on
after an assertion in a function of the tests has failed, which also tells it the expected value; and reading data that
only the tests know of and that their assertions read too. A test in which one of them happens counts as not tried
apart.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Callable, FrozenSet, List

from certo_worker.apart import containers
from certo_worker.apart.class_descriptions import special_methods
from certo_worker.apart.expectations import KnownWords, is_expected
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.values import ATOMS
from certo_worker.observation.case_record import Account

_MOCKING = ("unittest.mock", "mock", "mock.mock")
_SPELLINGS = ("abc", "typing", "typing_extensions")
_NOT_FORWARDED = frozenset(("__await__", "no hash"))

_ITERATORS = (
    types.GeneratorType,
    *(type(iter(kind())) for kind in (list, tuple, str, bytes, set, dict, bytearray)),
    *(type(iter(each)) for each in (range(0), {None: 0}.values(), {None: 0}.items())),
    *(map, filter, zip, enumerate, reversed),
)

_DATA = (bool, int, float, complex, str, bytes, type(None))
_MAX_DEPTH = 20


class Handing:
    """Answers for objects of the tests. `is_own` says of a module's name that it is the project's.

    `known` are the words of the project's code apart from its tests.
    """

    def __init__(self, account: Account, is_own: Callable[[str], bool], known: KnownWords):
        self._account = account
        self._is_own = is_own
        self._known = known

    def is_handed(self, value: Any) -> bool:
        """True if a value is a mock, an iterator, or of a class that only the project's own classes have a part in.

        A class that is derived from a library's may do more for the candidate than the tests meant it to.
        """
        kind = type(value)
        if kind in _ITERATORS or _is_mock(kind):
            return True
        if issubclass(kind, (type, BaseException)):
            return False
        own = [base for base in kind.__mro__ if base is not object and base.__module__ not in _SPELLINGS]
        return bool(own) and all(self._is_own(base.__module__) for base in own)

    @staticmethod
    def special(value: Any) -> List[str]:
        """Return the special methods that the candidate may use of what is handed over."""
        return [name for name in special_methods(type(value)) if name not in _NOT_FORWARDED]

    def call(self, thing: Any, name: str, arguments: List[Any], named: Any) -> Any:
        """Call what was handed over, or a special method of it.

        Raises:
            PeerFailed: it is nothing that can be called that way.
        """
        if not all(isinstance(each, str) for each in named):
            raise PeerFailed("asked what is no question")
        if name and name != "__call__":
            if not self.is_handed(thing) or name not in self.special(thing):
                raise PeerFailed("asked what is no question")
            return self._called(getattr(thing, name), arguments, named)
        if not callable(thing):
            raise PeerFailed("asked what is no question")
        return self._called(thing, arguments, named)

    def _called(self, function: Callable[..., Any], arguments: List[Any], named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except AssertionError:
            self._account.influences("an assertion in what it hands over failed")
            raise

    def get(self, thing: Any, name: str) -> Any:
        """Return a public attribute of what was handed over, or of an exception of the tests.

        Raises:
            AttributeError: there is none, or it is not to be seen.
            PeerFailed: nothing of the sort was handed over.
        """
        self._check(thing, name)
        value = getattr(thing, name)
        if is_data(value) and is_expected(name) and not self._known.has(name):
            self._account.influences("the candidate reads {}, from which the test makes what it expects".format(name))
        return value

    def set(self, thing: Any, name: str, value: Any) -> None:
        """Set a public attribute of what was handed over, to plain data.

        Raises:
            AttributeError: it is not to be set.
            PeerFailed: nothing of the sort was handed over.
        """
        self._check(thing, name)
        if not is_data(value):
            # What the tests ask of it later would be answered by the candidate.
            self._account.unsupported("an object is put into what it hands over")
            raise AttributeError(name)
        if name in getattr(thing, "__dict__", {}) or hasattr(type(thing), name):
            self._account.influences("the candidate changes {} of what it hands over".format(name))
        setattr(thing, name, value)

    def _check(self, thing: Any, name: str) -> None:
        kind = type(thing)
        attributes = isinstance(thing, BaseException) or (kind not in _ITERATORS and self.is_handed(thing))
        if name.startswith("_") or not attributes:
            raise PeerFailed("asked what is no question")
        if hasattr(BaseException, name) or (_is_mock(kind) and (name in _recorded(kind) or name.startswith("assert"))):
            self._account.unsupported("what it hands over is asked for {}".format(name))
            raise AttributeError(name)


def _is_mock(kind: type) -> bool:
    return any(base.__name__ == "NonCallableMock" and base.__module__ in _MOCKING for base in kind.__mro__)


def _recorded(kind: type) -> FrozenSet[str]:
    """Return the names by which a mock of this class says how it was called, or is told what to do."""
    # Each mock has a class of its own besides, into which the tests may have put a property.
    bases = (base for base in kind.__mro__ if base is getattr(sys.modules.get(base.__module__), base.__name__, None))
    return frozenset(["method_calls", *(each for base in bases for each in vars(base))])


def is_data(value: Any, depth: int = 0) -> bool:
    """True if a value is plain data that both processes can have a copy of."""
    if type(value) in _DATA or type(value) in ATOMS or type(value) is bytearray:
        return True
    if depth > _MAX_DEPTH or not (type(value) in containers.TAGS or type(value) in (tuple, frozenset)):
        return False
    return all(is_data(each, depth + 1) for each in containers.contents(value))
