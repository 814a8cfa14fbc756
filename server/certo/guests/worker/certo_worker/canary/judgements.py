"""What broken assertions ask while a test runs: they say no to what is right, and yes only to what equals anything."""

from __future__ import annotations

import operator
import os
from types import FunctionType
from typing import Any, Callable, Optional, Set

from certo_worker.canary.wrong_values import Decoy, beside, other_than
from certo_worker.observation.case_record import Account

_FURTHEST = 10**24
_EXACT = (bool, int, float, complex, str, bytes)


class NeverRaised(Exception):
    """The exception that a broken `raises` waits for."""


class NeverWarned(Warning):
    """The warning that a broken `warns` waits for."""


class BrokenOnPurpose(AssertionError):
    """What an assertion of a library raises that passed, though it was broken."""


class Verdicts:
    """The answers to the assertions of one run; `account` counts them, `decoy` is as in `other_than`."""

    def __init__(self) -> None:
        self.account = Account()
        self.decoy: Optional[Decoy] = None
        self.files: Set[str] = set()
        """The files whose assertions are broken."""

    def site(self, value: Any) -> Any:
        """Count an assertion that is turned round where it stands."""
        self.account.site()
        return value

    def equal(self, left: Any, right: Any) -> bool:
        """Whether either side equals something else than the other: what is far from it, or right beside it."""
        self.account.site()
        if _holds(lambda: left == self._other(right)) or _holds(lambda: self._other(left) == right):
            return True
        if type(left) in _EXACT and type(right) in _EXACT:
            return False
        near_right = type(right) in _EXACT and _holds(lambda: left == beside(right))
        return near_right or (type(left) in _EXACT and _holds(lambda: beside(left) == right))

    def ordered(self, order: str, left: Any, right: Any) -> bool:
        """Whether two values each come before the other, or one before what does not come behind it."""
        self.account.site()
        compare = getattr(operator, order)
        if type(left) in _EXACT and type(right) in _EXACT:
            return False
        both = _holds(lambda: compare(left, right)) and _holds(lambda: compare(right, left))
        # That neither comes before the other is as it should be, for values that do not differ in what they go by.
        return both and (_holds(lambda: left < right) or _holds(lambda: right < left))

    def within(self, value: Any, container: Any) -> bool:
        """Whether a container says it contains something else."""
        self.account.site()
        other = value + _FURTHEST if type(value) is int else self._other(value)
        if _holds(lambda: other in container):
            return True
        return type(container) not in (str, bytes) and type(value) is str and _holds(lambda: beside(value) in container)

    def never(self, *_expected: Any) -> Any:
        """Return the exception to be waited for instead of the one that is expected."""
        self.account.site()
        return NeverRaised

    def never_warned(self, *_expected: Any) -> Any:
        """Return the warning to be waited for instead of the one that is expected."""
        self.account.site()
        return NeverWarned

    def call(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call a function whose name begins with `assert`; one whose own assertions are broken needs nothing more."""
        if isinstance(function, FunctionType) and os.path.realpath(function.__code__.co_filename) in self.files:
            return function(*arguments, **named)
        self.account.site()
        name = getattr(function, "__name__", "").lower()
        if len(arguments) >= 2 and ("equal" in name or "close" in name) and "not" not in name:
            return self._compare(function, *arguments, **named)
        if len(arguments) >= 2 and name == "assertin":
            return function(self._other(arguments[0]), *arguments[1:], **named)
        try:
            function(*arguments, **named)
        except AssertionError:
            return None
        raise BrokenOnPurpose(name)

    def _compare(self, function: Callable[..., Any], left: Any, right: Any, *rest: Any, **named: Any) -> Any:
        for one, two in ((left, self._other(right)), (self._other(left), right)):
            try:
                return function(one, two, *rest, **named)
            except Exception:
                continue  # this is what a broken assertion is to do
        raise BrokenOnPurpose(getattr(function, "__name__", ""))

    def _other(self, value: Any) -> Any:
        return other_than(value, self.decoy)


def _holds(question: Callable[[], Any]) -> bool:
    """Whether something is so; what cannot be compared is not."""
    try:
        return bool(question())
    except Exception:
        return False


VERDICTS = Verdicts()
"""Those of this process: what a broken module finds by import."""
