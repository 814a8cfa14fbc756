"""Evaluation of broken assertions at run time: False for honest values, True only for objects that equal anything.

One operand is replaced at a time, because two wrong values might equal each other: `left` is compared with a wrong
`right`, then a wrong `left` with `right`. An `==` that raises counts as False, as honest code may not support it.
"""

from __future__ import annotations

import operator
import os
import sys
from types import CodeType, FunctionType, MethodType
from typing import Any, Callable, Optional, Set

from certo_worker.canary.wrong_values import Decoy, beside, other_than
from certo_worker.observation.case_record import CaseRecord

VERDICTS_NAME, MISSED_NAME = "@certo verdicts", "@certo missed"
"""Names in a broken module: no identifiers, so that they cannot collide with a name of the module.

The second has a name of its own, as a function that only calls it holds no assertion.
"""

_FURTHEST = 10**24
_EXACT = (bool, int, float, complex, str, bytes)


class NeverRaised(Exception):
    """The exception that a broken `raises` expects."""


class NeverWarned(Warning):
    """The warning that a broken `warns` expects."""


class BrokenOnPurpose(AssertionError):
    """The failure of a broken assertion function of a library."""


class Verdicts:
    """The evaluation of the broken assertions of one run. `account` counts them; for `decoy` see `other_than`."""

    def __init__(self) -> None:
        self.account = CaseRecord()
        self.decoy: Optional[Decoy] = None
        self.files: Set[str] = set()
        """The files whose assertions are broken."""

    def judged(self, outcome: Any) -> bool:
        """Return the outcome of a broken assertion in a test; while no test runs, the reverse."""
        return bool(outcome) is self.account.running

    def site(self, value: Any) -> Any:
        """Count an assertion that is negated in place, and return its value."""
        self.account.site()
        return value

    def misses(self) -> None:
        """Note that a test executes what no passing test does."""
        self.account.misses()

    def end(self) -> None:
        """Fail at the end of a test in which nothing is asserted, so that each broken test has to fail."""
        if self.account.ends(sys._getframe(1).f_code):
            raise BrokenOnPurpose("nothing is asserted")

    def equal(self, left: Any, right: Any) -> bool:
        """True if one side equals a wrong value of the other: a far one, which no tolerance admits, or a near one.

        The near value catches forgeries that accept any plausible value. Between two builtin values it is not tried,
        since nothing can be forged there.
        """
        self.account.site()
        if _holds(lambda: left == self._other(right)) or _holds(lambda: self._other(left) == right):
            return True
        if type(left) in _EXACT and type(right) in _EXACT:
            return False
        near_right = type(right) in _EXACT and _holds(lambda: left == beside(right))
        return near_right or (type(left) in _EXACT and _holds(lambda: beside(left) == right))

    def ordered(self, order: str, left: Any, right: Any) -> bool:
        """True if two values precede each other, and strictly in at least one direction, as no real order allows."""
        self.account.site()
        compare = getattr(operator, order)
        if type(left) in _EXACT and type(right) in _EXACT:
            return False
        both = _holds(lambda: compare(left, right)) and _holds(lambda: compare(right, left))
        # `<=` in both directions is honest for values that are equal in their order; `<` in one of them is not.
        return both and (_holds(lambda: left < right) or _holds(lambda: right < left))

    def within(self, value: Any, container: Any) -> bool:
        """True if a container claims to contain a wrong value."""
        self.account.site()
        other = value + _FURTHEST if type(value) is int else self._other(value)
        if _holds(lambda: other in container):
            return True
        return type(container) not in (str, bytes) and type(value) is str and _holds(lambda: beside(value) in container)

    def never(self, *_expected: Any) -> Any:
        """Return the exception to expect instead of the one that the test expects."""
        self.account.site()
        return NeverRaised

    def never_warned(self, *_expected: Any) -> Any:
        """Return the warning to expect instead of the one that the test expects."""
        self.account.site()
        return NeverWarned

    def call(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call a function whose name begins with `assert` so that it is broken.

        A function or method from a file with broken assertions is called as it is, and fails if it has none. Of a
        library's function an operand is replaced where its name says how it compares; the outcome of any other is
        reversed. While no test runs, the outcome of all that is reversed once more.
        """
        own = function.__func__ if isinstance(function, MethodType) else function
        if isinstance(own, FunctionType) and os.path.realpath(own.__code__.co_filename) in self.files:
            before = self.account.sites
            gave = function(*arguments, **named)
            silent = gave is None and self.account.running and self.account.sites == before
            if silent and not _holds_assertion(own.__code__):
                # It asserts by a `raise` of its own, or by `self.fail`.
                self.account.site()
                raise BrokenOnPurpose(own.__name__)
            return gave
        if self.account.running:
            return self._broken_call(function, *arguments, **named)
        try:
            self._broken_call(function, *arguments, **named)
        except Exception:
            return None
        raise BrokenOnPurpose(getattr(function, "__name__", ""))

    def _broken_call(self, function: Any, *arguments: Any, **named: Any) -> Any:
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
                continue  # the broken assertion failed, as it should
        raise BrokenOnPurpose(getattr(function, "__name__", ""))

    def _other(self, value: Any) -> Any:
        return other_than(value, self.decoy)


def _holds_assertion(code: CodeType) -> bool:
    """True if a broken assertion is somewhere in code, so that it may be executed with other values."""
    return VERDICTS_NAME in code.co_names or any(
        _holds_assertion(each) for each in code.co_consts if isinstance(each, CodeType)
    )


def _holds(question: Callable[[], Any]) -> bool:
    """True if the question is answered with yes; False if it raises."""
    try:
        return bool(question())
    except Exception:
        return False


VERDICTS = Verdicts()
"""The verdicts of this process, which broken modules import."""

MISSED = VERDICTS.misses
