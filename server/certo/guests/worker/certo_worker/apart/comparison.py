"""Who decides what is asserted: an operator of the text as it was, here; the candidate's own only where that is meant.

What a comparison says, whether something is contained, and what is left of a number when another is taken from it
decides an assertion, and what such an operator of the candidate's says proves nothing: it is told what is expected. So
the operator as it was is asked, of a twin. Only where that leads into the target itself is the candidate's answer what
is to be put to the test; and where there is none, it is told that the candidate decided.
"""

from __future__ import annotations

import builtins
import enum
import operator
import sys
from typing import Any, Callable, Dict, Optional, Tuple

from certo_worker.apart import containers
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.original_classes import Asked, Originals
from certo_worker.apart.proxies import Proxy, reference_of
from certo_worker.apart.rebuilt_objects import Twins
from certo_worker.apart.values import ATOMS
from certo_worker.observation.case_record import Account

_PLAIN = (bool, int, float, complex, str, bytes, type(None))

_COMPARING: Dict[str, Callable[[Any, Any], Any]] = {
    "__{}__".format(name): getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


class Deciding:
    """Decides for one conversation; `account` is told of what the candidate decided."""

    def __init__(self, account: Account, twins: Twins, originals: Originals):
        self._account = account
        self._twins = twins
        self._originals = originals
        self._methods: Dict[int, Tuple[type, str]] = {}

    def compared(self, proxy: Proxy, name: str, other: Any) -> Any:
        """Return how a stand-in compares with a value or another stand-in; no own operator says what a value equals."""
        if isinstance(other, Proxy):
            return self._decided(proxy, name, other, lambda: _yes(self._ask(proxy, name, other)))
        asked = self._asked(proxy, name, other)
        if asked is None or asked.is_target:
            if name == "__eq__" and self._says(proxy, name, other) is True:
                self._note(type(proxy), name)
            return NotImplemented
        if asked.error is not None:
            raise asked.error
        if asked.answer is not True:
            self._doubt(proxy, name, asked, self._says(proxy, name, other))
        return asked.answer

    def _says(self, proxy: Proxy, name: str, other: Any) -> Any:
        """Return what the candidate says of a value that is plain, or of one that it is to be near to."""
        other = getattr(other, "expected", other) if type(other).__module__.startswith("_pytest.") else other
        try:
            return self._ask(proxy, name, other) if _is_plain(other) else NotImplemented
        except PeerFailed:
            raise
        except Exception:
            return NotImplemented  # it says nothing, then

    def contained(self, proxy: Proxy, value: Any) -> Any:
        """Return whether a stand-in says that it contains a value."""
        return self._decided(proxy, "__contains__", value, lambda: _yes(self._ask(proxy, "__contains__", value)))

    def combined(self, proxy: Proxy, name: str, value: Any, question: Callable[[], Any]) -> Any:
        """Return what becomes of a stand-in and another value; what is no plain value decides by what is asked of it.

        Then nobody asks the operator as it was, and it must be a class as it was that has it.
        """
        answer = question()
        if type(answer) not in _PLAIN:
            if answer is not NotImplemented and not self._is_of_old(type(proxy), name):
                self._note(type(proxy), name)
            return answer
        return self._decided(proxy, name, value, lambda: answer)

    def as_it_was(self, proxy: Proxy) -> Any:
        """Return what a stand-in stands for, made of the class that the text as it was has; None where it has none."""
        making = self._twins.of(proxy) if self._twins.original(type(proxy)) is not None else None
        return making.mapped(proxy) if making is not None and making.has(proxy) else None

    def hashed(self, proxy: Proxy, question: Callable[[], int]) -> int:
        """Return what a stand-in is found by."""
        twin = self.as_it_was(proxy)
        if twin is None:
            return question()
        asked = self._originals.watched(lambda: hash(twin))
        return question() if asked.error is not None or asked.is_target else int(asked.answer)

    def listed(self, kind: type, value: Any, question: Callable[[], bool]) -> bool:
        """Return whether a class of the candidate's says that it contains a value, as that of an enumeration does."""
        original = self._twins.original(kind)
        making = self._twins.of(value)
        if original is None or not issubclass(original, enum.Enum) or making is None:
            self._note(kind, "__contains__")
            return question()
        members: Any = original
        asked = self._originals.watched(lambda: making.mapped(value) in members)
        return question() if asked.is_target or asked.error is not None else asked.answer is True

    def left(self, proxy: Proxy, name: str, error: Any, answer: Any) -> None:
        """Note that a context swallowed what a failed assertion raised."""
        if answer is not None and answer is not False and isinstance(error, AssertionError):
            self._note(type(proxy), name)

    def changed(self, proxy: Proxy, name: str, answer: Any) -> Any:
        """Return what a stand-in becomes; where that is a plain value, nobody but the candidate says which."""
        if type(answer) in _PLAIN or not self._is_of_old(type(proxy), name):
            self._note(type(proxy), name)
        return answer

    def _is_of_old(self, kind: type, name: str) -> bool:
        """Whether a class is one of the text as it was, or of a library's, and has an operator there."""
        original = self._twins.original(kind) if self._twins.is_as_it_was(kind) else _real(kind)
        return original is not None and _has(original, name)

    def note_method(self, number: int, owner: type, name: str) -> None:
        """Note whose method a stand-in is."""
        self._methods[number] = (owner, name)

    def called(self, number: int, arguments: Tuple[Any, ...], answer: Any) -> None:
        """Note that a method said something of what the tests gave it, if its class is the candidate's alone.

        One that is derived from a class as it was may say it as a number as well; of any other only yes and no count.
        """
        owner, name = self._methods.get(number, (None, ""))
        if owner is None or not arguments or type(answer) not in (bool, int):
            return
        if self._twins.is_as_it_was(owner) or hasattr(_real(owner), name):
            return
        if type(answer) is bool or self._twins.original(owner) is not None:
            self._note(owner, name)

    def _decided(self, proxy: Proxy, name: str, value: Any, question: Callable[[], Any]) -> Any:
        asked = self._asked(proxy, name, value)
        if asked is None:
            answer = question()
            if answer is not NotImplemented and not self._is_like(proxy, name, value, answer):
                self._note(type(proxy), name)
            return answer
        if asked.is_target:
            return question()
        if asked.error is None and asked.answer is True:
            return True
        said = question()
        if asked.error is not None:
            self._note(type(proxy), name)
            return said
        return said if self._doubt(proxy, name, asked, said) else asked.answer

    def _doubt(self, proxy: Proxy, name: str, asked: Asked, said: Any) -> bool:
        """Note that the candidate says otherwise than the text as it was; whether that may be honest all the same."""
        if _agree(said, asked.answer):
            return False
        kind = self._twins.original(type(proxy))
        if kind is not None and self._originals.depends(asked, kind):
            self._note(type(proxy), name)
            return True
        self._account.lied("{} says otherwise than that of the text as it was".format(_named(type(proxy), name)))
        return False

    def _asked(self, proxy: Proxy, name: str, value: Any) -> Optional[Asked]:
        """Ask the operator as it was; None where there was none, or nothing to ask it of."""
        kind = self._twins.original(type(proxy))
        making = self._twins.of(proxy, value) if kind is not None and _has(kind, name) else None
        if making is None or not making.has(proxy):
            return None
        twin, other = making.mapped(proxy), making.mapped(value)
        if name in _COMPARING:
            return self._originals.watched(lambda: _COMPARING[name](twin, other))
        return self._originals.watched(lambda: getattr(type(twin), name)(twin, other))

    def _is_like(self, proxy: Proxy, name: str, value: Any, answer: Any) -> bool:
        """Whether two objects of the candidate's classes are what it says they are: the same, or not."""
        if name not in ("__eq__", "__ne__") or not isinstance(value, Proxy):
            return False
        making = self._twins.of(proxy, value)
        if making is None or not (making.has(proxy) and making.has(value)):
            return False
        return bool(making.mapped(proxy) == making.mapped(value)) is ((answer is True) is (name == "__eq__"))

    def _note(self, kind: type, name: str) -> None:
        if not self._originals.has_within(kind.__qualname__, name):
            self._account.decides(_named(kind, name))

    @staticmethod
    def _ask(proxy: Proxy, name: str, value: Any) -> Any:
        reference = reference_of(proxy)
        assert reference is not None
        return reference.call(name, value)


def _yes(answer: Any) -> Any:
    return NotImplemented if answer is NotImplemented else answer is True


def _named(kind: type, name: str) -> str:
    return "the candidate's own {} of {}".format(name, kind.__name__)


def _is_plain(value: Any) -> bool:
    return type(value) in _PLAIN or type(value) in ATOMS or type(value) in containers.TAGS or type(value) is tuple


def _real(kind: type) -> Optional[type]:
    """Return the class that a stand-in's class is called like, where the tests have it too and no stand-in for it."""
    found = vars(sys.modules.get(kind.__module__, builtins)).get(kind.__qualname__)
    return found if isinstance(found, type) and reference_of(found) is None else None


def _has(kind: type, name: str) -> bool:
    return any(name in vars(base) for base in kind.__mro__ if base is not object)


def _agree(said: Any, answer: Any) -> bool:
    if isinstance(answer, bool) or answer is NotImplemented or said is NotImplemented:
        return (said is True) is (answer is True)
    return type(said) is type(answer) and bool(said == answer or (said != said and answer != answer))
