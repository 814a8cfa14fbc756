"""Operators that decide assertions: those of the original class are used, not those of the candidate.

`assert result == Money(5)` is decided by `Money.__eq__`. If the candidate's process answered, the answer would prove
nothing: the operator receives the expected value as its operand, so a forged one says yes to all. The same is true of
`in`, of ordering, of hashing, and of arithmetic in `assert total - 5 == 0`. Therefore the operator of the original
class, from the source before the candidate's edit, is called in the test process on twins: copies of the candidate's
objects, rebuilt from their state alone.

There are three outcomes:

* The original operator ran without the target. Its answer counts. If that is not True, the candidate is asked too: one
  that answers otherwise has lied, unless the answer may depend on state outside the objects.
* The original operator ran the target, for instance because the target is that very `__eq__`. Then the candidate's
  operator is what the test is about, and its answer counts, though never as equality with a local value.
* There is no original operator, because the class or the method is new. Then the candidate's answer is used and
  `account` records that the candidate decided, so that the test does not count as passed apart.
"""

from __future__ import annotations

import builtins
import enum
import operator
import sys
import types
import weakref
from typing import Any, Callable, Dict, Optional, Tuple

from certo_worker.apart import containers
from certo_worker.apart.frames import PeerFailed
from certo_worker.apart.original_classes import OriginalClasses, WatchedCall
from certo_worker.apart.proxies import Proxy, reference_of
from certo_worker.apart.rebuilt_objects import Twins
from certo_worker.apart.values import ATOMS
from certo_worker.observation.case_record import CaseRecord

_PLAIN = (bool, int, float, complex, str, bytes, type(None))

_COMPARING: Dict[str, Callable[[Any, Any], Any]] = {
    "__{}__".format(name): getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


class ComparisonJudge:
    """The operators of all proxies of one connection. `account` records which assertions the candidate decided."""

    def __init__(self, account: CaseRecord, twins: Twins, originals: OriginalClasses):
        self._account = account
        self._twins = twins
        self._originals = originals
        self._methods: Dict[int, Tuple["weakref.ref[Proxy]", type, str, str]] = {}

    def compared(self, proxy: Proxy, name: str, other: Any) -> Any:
        """Return how a proxy compares with another proxy or with a local value.

        With a local value, the candidate's own operator never counts: NotImplemented lets Python ask the reflected
        operator of the value, and fall back to identity.
        """
        if isinstance(other, Proxy):
            return self._decided(proxy, name, other, lambda: _yes(self._ask(proxy, name, other)))
        asked = self._asked(proxy, name, other)
        if asked is None or asked.is_target:
            # The assertion fails now. If the candidate says yes, its operator is the cause, and that is recorded.
            if name == "__eq__" and self._says(proxy, name, other) is True:
                self._note(type(proxy), name)
            return NotImplemented
        if asked.error is not None:
            raise asked.error
        # Where the original operator says yes, no candidate gains anything by saying no.
        if asked.answer is not True:
            self._doubt(proxy, name, asked, self._says(proxy, name, other))
        return asked.answer

    def _says(self, proxy: Proxy, name: str, other: Any) -> Any:
        """Return the candidate's answer for a plain value, or for the expected value of a `pytest.approx`."""
        other = getattr(other, "expected", other) if type(other).__module__.startswith("_pytest.") else other
        try:
            return self._ask(proxy, name, other) if _is_plain(other) else NotImplemented
        except PeerFailed:
            raise
        except Exception:
            return NotImplemented

    def contained(self, proxy: Proxy, value: Any) -> Any:
        """Return True, False or NotImplemented for the membership of a value in the object of a proxy."""
        return self._decided(proxy, "__contains__", value, lambda: _yes(self._ask(proxy, "__contains__", value)))

    def combined(self, proxy: Proxy, name: str, value: Any, question: Callable[[], Any]) -> Any:
        """Return the result of an arithmetic operator.

        A plain result, as of `total - 5`, is compared as it is, so the original operator has to decide it. Any other
        result is a proxy, whose own comparison is decided later; it is enough that an original class has the operator.
        """
        answer = question()
        if type(answer) not in _PLAIN:
            if answer is not NotImplemented and not self._is_of_old(type(proxy), name):
                self._note(type(proxy), name)
            return answer
        return self._decided(proxy, name, value, lambda: answer)

    def as_it_was(self, proxy: Proxy) -> Any:
        """Return the twin of the object of a proxy, or None if the object has no original class."""
        making = self._twins.of(proxy) if self._twins.original(type(proxy)) is not None else None
        return making.mapped(proxy) if making is not None and making.has(proxy) else None

    def hashed(self, proxy: Proxy, question: Callable[[], int]) -> int:
        """Return the hash of a proxy: that of its twin, so that equal objects are found in sets and dictionaries."""
        twin = self.as_it_was(proxy)
        if twin is None:
            return question()
        asked = self._originals.watched(lambda: hash(twin))
        return question() if asked.error is not None or asked.is_target else int(asked.answer)

    def listed(self, kind: type, value: Any, question: Callable[[], bool]) -> bool:
        """True if a class of the candidate contains a value, as an enumeration contains its members."""
        original = self._twins.original(kind)
        making = self._twins.of(value)
        if original is None or not issubclass(original, enum.Enum) or making is None:
            self._note(kind, "__contains__")
            return question()
        members: Any = original
        asked = self._originals.watched(lambda: making.mapped(value) in members)
        return question() if asked.is_target or asked.error is not None else asked.answer is True

    def left(self, proxy: Proxy, name: str, error: Any, answer: Any) -> None:
        """Record that a context manager of the candidate suppressed a failed assertion."""
        if answer is not None and answer is not False and isinstance(error, AssertionError):
            self._note(type(proxy), name)

    def changed(self, proxy: Proxy, name: str, answer: Any) -> Any:
        """Return the result of an augmented assignment, and record a plain one, which only the candidate computes."""
        if type(answer) in _PLAIN or not self._is_of_old(type(proxy), name):
            self._note(type(proxy), name)
        return answer

    def _is_of_old(self, kind: type, name: str) -> bool:
        """True if the original source or a library has this class and gives it the operator."""
        original = self._twins.original(kind) if self._twins.is_as_it_was(kind) else _real(kind)
        return original is not None and _has(original, name)

    def note_method(self, number: int, owner: Proxy, name: str, kind: str) -> None:
        """Remember that an object of class `kind` is the attribute of a proxy."""
        self._methods[number] = (weakref.ref(owner), type(owner), name, kind)

    def called(
        self, number: int, arguments: Tuple[Any, ...], named: Dict[str, Any], question: Callable[[], Any]
    ) -> Any:
        """Return what `question` says, the answer of a called object, and record one that the candidate decided.

        A method that the candidate wrote anew, as in `result.distance(Point(3, 4)) < 1`, is a comparison by another
        name, because it receives the expected value. An answer counts if the candidate derived the class from an
        original one, or if the original source has a method of this name. Of any other new class only True and False
        count.
        """
        noted = self._methods.get(number) if arguments or named else None
        if noted is None:
            return question()
        reference, owner, name, kind = noted
        proxy, is_old = reference(), self._twins.is_as_it_was(owner) or hasattr(_real(owner), name)
        is_hidden = is_old and self._hides_method(owner, name) and (kind != "method" or _is_own(proxy, name))
        # Before the candidate hears what is expected: it could make the object such that the answer is right.
        asked = self._asked_method(proxy, name, arguments, named) if is_hidden and proxy is not None else None
        answer = question()
        if isinstance(answer, Proxy):
            return answer
        if is_hidden:
            if asked is None or asked.error is not None or asked.is_target or not _is_same(answer, asked.answer):
                self._account.decides(_named(owner, name))
        elif not is_old and (
            type(answer) is bool or self._twins.original(owner) is not None or self._originals.has_method(name)
        ):
            self._note(owner, name)
        return answer

    def _hides_method(self, owner: type, name: str) -> bool:
        """True if an original class has a method of this name, which is not the target."""
        original = self._twins.original(owner)
        found = next((vars(base)[name] for base in getattr(original, "__mro__", ()) if name in vars(base)), None)
        return isinstance(found, types.FunctionType) and not self._originals.is_target(found.__code__)

    def _asked_method(
        self, proxy: Proxy, name: str, arguments: Tuple[Any, ...], named: Dict[str, Any]
    ) -> Optional[WatchedCall]:
        """Call the original class's method on the object's twin, where an attribute may hide it; None without twin."""
        making = self._twins.of(proxy, *arguments, *named.values())
        if making is None or not making.has(proxy):
            return None
        twin, given = making.mapped(proxy), [making.mapped(each) for each in arguments]
        given_named = {key: making.mapped(each) for key, each in named.items()}
        return self._originals.watched(lambda: getattr(type(twin), name)(twin, *given, **given_named))

    def _decided(self, proxy: Proxy, name: str, value: Any, question: Callable[[], Any]) -> Any:
        """Return the answer of the original operator, or of `question`, which asks the candidate's."""
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

    def _doubt(self, proxy: Proxy, name: str, asked: WatchedCall, said: Any) -> bool:
        """Record that the candidate contradicts the original operator; True if that may be honest all the same."""
        if _agree(said, asked.answer):
            return False
        kind = self._twins.original(type(proxy))
        if kind is not None and self._originals.depends(asked, kind):
            self._note(type(proxy), name)
            return True
        self._account.lied("{} says otherwise than that of the text as it was".format(_named(type(proxy), name)))
        return False

    def _asked(self, proxy: Proxy, name: str, value: Any) -> Optional[WatchedCall]:
        """Call the original operator on twins; None if there is no such operator or no twin."""
        kind = self._twins.original(type(proxy))
        making = self._twins.of(proxy, value) if kind is not None and _has(kind, name) else None
        if making is None or not making.has(proxy):
            return None
        twin, other = making.mapped(proxy), making.mapped(value)
        if name in _COMPARING:
            return self._originals.watched(lambda: _COMPARING[name](twin, other))
        return self._originals.watched(lambda: getattr(type(twin), name)(twin, other))

    def _is_like(self, proxy: Proxy, name: str, value: Any, answer: Any) -> bool:
        """True if the candidate's answer about the equality of two of its objects agrees with their state."""
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


def _is_own(proxy: Optional[Proxy], name: str) -> bool:
    """True if an object has an attribute of its own, and not only by its class."""
    reference = reference_of(proxy) if proxy is not None else None
    if reference is None:
        return False
    try:
        reference.own(name)
    except PeerFailed:
        raise
    except Exception:
        return False
    return True


def _is_same(said: Any, answer: Any) -> bool:
    return type(said) is type(answer) and bool(said == answer or (said != said and answer != answer))


def _is_plain(value: Any) -> bool:
    return type(value) in _PLAIN or type(value) in ATOMS or type(value) in containers.TAGS or type(value) is tuple


def _real(kind: type) -> Optional[type]:
    """Return the class of the same name as a proxy class, if the test process has it as a class of its own."""
    found = vars(sys.modules.get(kind.__module__, builtins)).get(kind.__qualname__)
    return found if isinstance(found, type) and reference_of(found) is None else None


def _has(kind: type, name: str) -> bool:
    return any(name in vars(base) for base in kind.__mro__ if base is not object)


def _agree(said: Any, answer: Any) -> bool:
    if isinstance(answer, bool) or answer is NotImplemented or said is NotImplemented:
        return (said is True) is (answer is True)
    return _is_same(said, answer)
