"""Proxies of the candidate's objects in the test process.

Attributes, calls and most special methods are forwarded to the candidate's process. Operators that decide assertions
are not: they go to `client.deciding`, see `comparison`.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, Generator, Iterator, List, Optional, Tuple

from certo_worker.apart.class_descriptions import ARITHMETIC, COMPARISONS, IN_PLACE, READABLE, TEXTS
from certo_worker.canary.wrong_values import beside, other_than

_NUMBERS = (int, float, complex, Decimal, Fraction)
_NEARLY = 0.01


class Reference:
    """A reference to an object of the candidate's process, by number; `client` sends the questions."""

    __slots__ = ("client", "number")

    def __init__(self, client: Any, number: int):
        self.client = client
        self.number = number

    def get(self, name: str) -> Any:
        """Return an attribute.

        Raises:
            AttributeError: there is no such attribute, or it may not be read.
        """
        if name.startswith("__") and name not in READABLE:
            raise AttributeError(name)
        return self.client.ask("get", self.number, name, keep=True)

    def set(self, name: str, value: Any) -> None:
        """Set an attribute."""
        self.client.ask("set", self.number, name, [value])

    def delete(self, name: str) -> None:
        """Delete an attribute."""
        self.client.ask("delete", self.number, name)

    def call(self, method: str, *arguments: Any, **named: Any) -> Any:
        """Call a method, or the object itself where `method` is empty."""
        return self.client.ask("call", self.number, method, [list(arguments), named])

    def combine(self, method: str, operand: Any) -> Any:
        """Apply an arithmetic operator to a local number, and to two decoys in random order.

        `assert abs(result - 5) < 0.1` passes for a forged object that returns 0 from every subtraction. The candidate
        cannot tell the operand from the decoys, so a forgery gives nearly the same for all three.

        Raises:
            AssertionError: the results are too close to each other.
        """
        operands = [operand, other_than(operand), beside(operand)]
        answers: List[Any] = [None] * len(operands)
        for place in sorted(range(len(operands)), key=lambda _place: os.urandom(4)):
            try:
                answers[place] = (self.call(method, operands[place]), None)
            except Exception as error:
                answers[place] = (None, error)
        answer, raised = answers[0]
        if raised is not None:
            raise raised
        if all(failed is None for _answer, failed in answers) and _are_one(method, [each for each, _ in answers]):
            self.client.account.lied("an object of the candidate's gives the same whatever it is combined with")
            raise AssertionError("an object of the candidate's gives the same whatever it is combined with")
        return answer

    def wait(self) -> Any:
        """Await the object in its own process."""
        return self.client.ask("await", self.number)

    def own(self, name: str) -> Any:
        """Return an item of the object's own `__dict__`.

        Raises:
            KeyError: it has no such item.
        """
        return self.client.ask("own", self.number, name, keep=True)

    def names(self) -> List[str]:
        """Return the names of the object's attributes."""
        names = self.client.ask("names", self.number)
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _are_one(method: str, answers: List[Any]) -> bool:
    """True if results are closer to each other than those of operands that differ by one or more can be.

    Products and quotients of zero are excluded, because zero times anything is zero, and because a quotient may round
    to zero.
    """
    if not all(type(each) in (int, float, complex) for each in answers):
        return False
    if method.strip("_")[-3:] in ("add", "sub"):
        return all(abs(each - answers[0]) < _NEARLY for each in answers)
    return answers[0] != 0 and all(each == answers[0] for each in answers) and method.strip("_")[-3:] in ("mul", "div")


class Contents(Mapping):  # type: ignore[type-arg]  # it takes no parameter at run time before Python 3.9
    """The `__dict__` of a module or class of the candidate, which tools like `mock.patch` look into."""

    def __init__(self, reference: Reference, local: Mapping[str, Any]):
        self._reference = reference
        self._local = local

    def __getitem__(self, name: str) -> Any:
        return self._local[name] if name in self._local else self._reference.own(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._reference.names())

    def __len__(self) -> int:
        return len(self._reference.names())


class Proxy:
    """The proxy of one object. The proxy class of each candidate's class is a subclass of it."""

    __slots__ = ("__weakref__", "_reference")

    def __getattr__(self, name: str) -> Any:
        reference = _reference(self)
        found = reference.get(name)
        if issubclass(type(found), Proxy):
            number = _reference(found).number
            reference.client.deciding.note_method(number, self, name, type(found).__name__)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        _reference(self).set(name, value)

    def __delattr__(self, name: str) -> None:
        _reference(self).delete(name)

    def __dir__(self) -> List[str]:
        return _reference(self).names()

    def __reduce_ex__(self, _protocol: Any) -> Any:
        raise TypeError("an object of the candidate's process cannot be copied or pickled")


_SLOT = Proxy.__dict__["_reference"]


def _reference(proxy: Proxy) -> Reference:
    found: Reference = _SLOT.__get__(proxy)
    return found


def make_proxy(kind: Any, reference: Reference) -> Proxy:
    """Return a proxy of class `kind`, without its constructor, which would make a new object for the candidate."""
    proxy: Proxy = object.__new__(kind)
    _SLOT.__set__(proxy, reference)
    return proxy


_OF_CLASS = "_certo_reference"

_dictionary = type.__dict__["__dict__"].__get__


class _Derivable(type):
    """A metaclass that notices subclasses defined by the tests, which do not exist in the candidate's process."""

    def __init__(cls, name: str, bases: Tuple[type, ...], namespace: Dict[str, Any], **_named: Any) -> None:
        super().__init__(name, bases, namespace)
        if _OF_CLASS not in namespace:
            _note_subclass(cls)


class RemoteType(_Derivable):
    """The metaclass of proxy classes: calling one makes an object in the candidate's process."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Construct an object in the candidate's process."""
        reference = _dictionary(cls).get(_OF_CLASS)
        if reference is None:
            return _refuse_subclass(cls)
        made = reference.call("", *arguments, **named)
        reference.client.note_made(made, reference, arguments, named)
        return made

    def __getattr__(cls, name: str) -> Any:
        return _class_reference(cls).get(name)

    def __setattr__(cls, name: str, value: Any) -> None:
        _class_reference(cls).set(name, value)

    def __delattr__(cls, name: str) -> None:
        _class_reference(cls).delete(name)

    @property  # type: ignore[misc]  # vars() of a class can be overridden in no other way
    def __dict__(cls) -> Any:  # type: ignore[override]  # as above
        """The `__dict__` of the candidate's class."""
        return Contents(_class_reference(cls), {})

    def __dir__(cls) -> List[str]:
        """Return the names of the class's attributes, without fetching the values."""
        return _class_reference(cls).names()

    def __iter__(cls) -> Any:
        return iter(_class_reference(cls).call("__iter__"))

    def __len__(cls) -> int:
        return int(_class_reference(cls).call("__len__"))

    def __getitem__(cls, key: Any) -> Any:
        return _class_reference(cls).call("__getitem__" if hasattr(cls, "__members__") else "__class_getitem__", key)

    def __contains__(cls, value: Any) -> bool:
        reference = _class_reference(cls)
        found: bool = reference.client.deciding.listed(
            cls, value, lambda: reference.call("__contains__", value) is True
        )
        return found


class RemoteErrorType(_Derivable):
    """The metaclass of mirrored exception classes: real exceptions here, constructed in the candidate's process."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Construct the exception in the candidate's process; for a subclass made by a test, here."""
        reference = _dictionary(cls).get(_OF_CLASS)
        if reference is None:
            return super().__call__(*arguments, **named)
        return reference.call("", *arguments, **named)

    def __getattr__(cls, name: str) -> Any:
        return _class_reference(cls).get(name)


def _note_subclass(cls: type) -> None:
    for base in cls.__mro__:
        reference = _dictionary(base).get(_OF_CLASS)
        if reference is not None:
            reference.client.account.unsupported("it subclasses {} of the candidate".format(base.__name__))
            break


def _refuse_subclass(cls: type) -> Any:
    _note_subclass(cls)
    raise TypeError("a subclass of the candidate's class cannot be made in another process")


def _class_reference(cls: type) -> Reference:
    for base in cls.__mro__:
        if _OF_CLASS in _dictionary(base):
            found: Reference = _dictionary(base)[_OF_CLASS]
            return found
    raise AttributeError(_OF_CLASS)


def reference_of(value: Any) -> Optional[Reference]:
    """Return the reference of a proxy, be it of an object, class, module or exception; None for any other value."""
    if issubclass(type(value), Proxy):
        return _reference(value)
    if issubclass(type(value), (RemoteType, RemoteErrorType)):
        found = _dictionary(value).get(_OF_CLASS)
        return found if isinstance(found, Reference) else None
    own = getattr(type(value), "_certo_reference_of", None)
    return None if own is None else own(value)


def parameter_name(value: Any) -> Optional[str]:
    """Return the test id that pytest gives to the value behind a proxy as a parameter; None for any other value."""
    twin = _reference(value).client.deciding.as_it_was(value) if issubclass(type(value), Proxy) else None
    if isinstance(twin, (str, bytes)):
        return (twin.encode("unicode_escape") if isinstance(twin, str) else twin).decode("ascii", "backslashreplace")
    return str(twin) if isinstance(twin, (int, float, complex, enum.Enum)) else None


def forwarding(name: str) -> Callable[..., Any]:
    """Return the special method of that name for a proxy class."""
    made = _SPECIAL.get(name)
    if made is None:
        made = next((make(name) for names, make in _MAKERS if name in names), None) or _method(name)
    made.__name__ = name
    return made


def _method(name: str) -> Callable[..., Any]:
    def method(self: Proxy, *arguments: Any, **named: Any) -> Any:
        reference = _reference(self)
        if name == "__call__":
            return reference.client.deciding.called(
                reference.number, arguments, named, lambda: reference.call("", *arguments, **named)
            )
        answer = reference.call(name, *arguments, **named)
        if name == "__exit__":
            reference.client.deciding.left(self, name, arguments[1], answer)
        elif name in IN_PLACE:
            reference.client.deciding.changed(self, name, answer)
        return answer

    return method


def _arithmetic(name: str) -> Callable[..., Any]:
    def combine(self: Proxy, other: Any, *modulus: Any) -> Any:
        reference = _reference(self)
        if not modulus and isinstance(other, _NUMBERS):
            return reference.client.deciding.combined(self, name, other, lambda: reference.combine(name, other))
        return reference.client.deciding.combined(self, name, other, lambda: reference.call(name, other, *modulus))

    return combine


def _comparison(name: str) -> Callable[..., Any]:
    def compare(self: Proxy, other: Any) -> Any:
        return _reference(self).client.deciding.compared(self, name, other)

    return compare


def _contains(self: Proxy, value: Any) -> bool:
    return _reference(self).client.deciding.contained(self, value) is True


def _text(name: str) -> Callable[..., Any]:
    def text(self: Proxy, *arguments: Any) -> str:
        answer = _reference(self).call(name, *arguments)
        return answer if type(answer) is str else "<no text>"

    return text


def _hash(self: Proxy) -> int:
    def asked() -> int:
        answer = _reference(self).call("__hash__")
        return answer if type(answer) is int else 0

    found: int = _reference(self).client.deciding.hashed(self, asked)
    return found


def _truth(self: Proxy) -> bool:
    return _reference(self).call("__bool__") is True


def _await(self: Proxy) -> Generator[Any, None, Any]:
    return _reference(self).wait()
    yield  # never reached; it makes this a generator function, as __await__ must return an iterator


_SPECIAL: Dict[str, Callable[..., Any]] = {
    "__hash__": _hash,
    "__bool__": _truth,
    "__await__": _await,
    "__contains__": _contains,
}
_MAKERS = ((COMPARISONS, _comparison), (TEXTS, _text), (ARITHMETIC, _arithmetic))
