"""Objects of the tests that are passed to the candidate, and the operations that its process may use on them.

The candidate may call such an object, read and set public attributes, and use the special methods listed with it. Of a
function it may read the data that the tests have set on it. It can neither read how a mock was called nor put one of
its own objects in the place of a mock.

Three of these operations can decide an assertion: changing an attribute that the tests have set; continuing after an
assertion in a function of the tests has failed, which also reveals the expected value; and reading data that only the
tests know and that their assertions read too. A test in which one of them happens counts as not run apart.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from typing import Any, Callable, FrozenSet, Iterator, List

from certo_worker.apart import containers
from certo_worker.apart.class_descriptions import special_methods
from certo_worker.apart.expectations import KnownWords, is_expected
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.values import ATOMS
from certo_worker.observation.case_record import CaseRecord

_MOCKING = ("unittest.mock", "mock", "mock.mock")
_SPELLINGS = ("abc", "typing", "typing_extensions")
_NOT_FORWARDED = frozenset(("__await__", "no hash"))

_ITERATORS = (
    types.GeneratorType,
    *(type(iter(kind())) for kind in (list, tuple, str, bytes, set, dict, bytearray)),
    *(type(iter(each)) for each in (range(0), {None: 0}.values(), {None: 0}.items())),
    *(map, filter, zip, enumerate, reversed),
)

_FUNCTIONS = (types.FunctionType, functools.partial)
"""Types of functions on which tests may set attributes."""

_DATA = (bool, int, float, complex, str, bytes, type(None))
_MAX_DEPTH = 20


class ExportedObjects:
    """The objects of the tests that the candidate may use.

    `is_own` is true for the name of a module of the project, `known` are the words of its code outside its tests.
    """

    def __init__(self, account: CaseRecord, is_own: Callable[[str], bool], known: KnownWords):
        self._account = account
        self._is_own = is_own
        self._known = known

    def is_handed(self, value: Any) -> bool:
        """True if a value is a mock, an iterator, or an object of a class with no bases outside the project.

        A class derived from one of a library may offer the candidate more than the tests intend.
        """
        kind = type(value)
        if kind in _ITERATORS or _is_mock(kind):
            return True
        if issubclass(kind, (type, BaseException)):
            return False
        own = [base for base in kind.__mro__ if base is not object and base.__module__ not in _SPELLINGS]
        return bool(own) and all(self._is_own(base.__module__) for base in own)

    @staticmethod
    def attributes(function: Callable[..., Any]) -> List[str]:
        """Return the names of the public data that the tests have set on a function, and that cannot be changed.

        A function that stands in for another one, as `create_autospec` makes them, keeps there how it was called.
        """
        held = vars(function) if type(function) in _FUNCTIONS else {}
        if any(_is_mock(type(value)) for value in held.values()):
            return []
        return [name for name, value in held.items() if type(value) in _DATA and not name.startswith("_")]

    @staticmethod
    def special(value: Any) -> List[str]:
        """Return the special methods of an object that the candidate may use."""
        return [name for name in special_methods(type(value)) if name not in _NOT_FORWARDED]

    def call(self, thing: Any, name: str, arguments: List[Any], named: Any) -> Any:
        """Call an object, or a special method of it.

        Raises:
            PeerFailed: the call is not allowed.
        """
        if not all(isinstance(each, str) for each in named):
            raise PeerFailed("sent a request that is not allowed")
        if name and name != "__call__":
            if not self.is_handed(thing) or name not in self.special(thing):
                raise PeerFailed("sent a request that is not allowed")
            return self._called(getattr(thing, name), arguments, named)
        if not callable(thing):
            raise PeerFailed("sent a request that is not allowed")
        return self._called(thing, arguments, named)

    def _called(self, function: Callable[..., Any], arguments: List[Any], named: Any) -> Any:
        with self.watched():
            return function(*arguments, **named)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Record if an assertion fails in the block, which runs code of the tests for the candidate."""
        try:
            yield
        except BaseException as error:
            if _is_failure(error):
                self._account.influences("an assertion in what it hands over failed")
            raise

    def get(self, thing: Any, name: str) -> Any:
        """Return a public attribute of an object, a function or an exception of the tests.

        Raises:
            AttributeError: there is no such attribute, or the candidate may not read it.
            PeerFailed: the object has no attributes for the candidate.
        """
        is_of_function = name in self.attributes(thing)
        if not is_of_function:
            self._check(thing, name)
        value = getattr(thing, name)
        # A decorator may set what a test expects on the test's own function, where no assertion names it.
        if is_data(value) and (is_of_function or is_expected(name)) and not self._known.has(name):
            self._account.influences("the candidate reads {}, from which the test makes what it expects".format(name))
        return value

    def set(self, thing: Any, name: str, value: Any) -> None:
        """Set a public attribute of an object to plain data.

        Raises:
            AttributeError: the candidate may not set it.
            PeerFailed: the object has no attributes for the candidate.
        """
        self._check(thing, name)
        if not is_data(value):
            # An object of the candidate's would later answer questions that the tests put to their own object.
            self._account.unsupported("an object is put into what it hands over")
            raise AttributeError(name)
        if name in getattr(thing, "__dict__", {}) or hasattr(type(thing), name):
            self._account.influences("the candidate changes {} of what it hands over".format(name))
        setattr(thing, name, value)

    def _check(self, thing: Any, name: str) -> None:
        kind = type(thing)
        attributes = isinstance(thing, BaseException) or (kind not in _ITERATORS and self.is_handed(thing))
        if name.startswith("_") or not attributes:
            raise PeerFailed("sent a request that is not allowed")
        if hasattr(BaseException, name) or (_is_mock(kind) and (name in _recorded(kind) or name.startswith("assert"))):
            self._account.unsupported("what it hands over is asked for {}".format(name))
            raise AttributeError(name)


def _is_failure(error: BaseException) -> bool:
    """True for a failed assertion and for an outcome that pytest raises, as `pytest.fail` does, except for a skip."""
    if isinstance(error, AssertionError):
        return True
    # pytest is not imported for this; its outcomes claim to be builtin, all but their base class.
    above = {(base.__module__, base.__name__) for base in type(error).__mro__}
    return ("_pytest.outcomes", "OutcomeException") in above and ("builtins", "Skipped") not in above


def _is_mock(kind: type) -> bool:
    return any(base.__name__ == "NonCallableMock" and base.__module__ in _MOCKING for base in kind.__mro__)


def _recorded(kind: type) -> FrozenSet[str]:
    """Return the names of the attributes with which a mock of this class is inspected or configured."""
    # Each mock has in addition a class of its own, to which the tests may have added a property.
    bases = (base for base in kind.__mro__ if base is getattr(sys.modules.get(base.__module__), base.__name__, None))
    return frozenset(["method_calls", *(each for base in bases for each in vars(base))])


def is_data(value: Any, depth: int = 0) -> bool:
    """True if a value is plain data, which goes by value."""
    if type(value) in _DATA or type(value) in ATOMS or type(value) is bytearray:
        return True
    if depth > _MAX_DEPTH or not (type(value) in containers.TAGS or type(value) in (tuple, frozenset)):
        return False
    return all(is_data(each, depth + 1) for each in containers.contents(value))
