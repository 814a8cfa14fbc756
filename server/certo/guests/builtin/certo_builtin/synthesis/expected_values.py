"""Expected values: the examples of a hole, found by running its tests with a stand-in as its result.

The hole is given the body `return __certo_probe__((a, b))`. Each call returns an Unknown, which claims to equal
whatever it is compared with and records it: after `assert f(2) == 4` has run, the example f(2) = 4 is known, however
the test came by its arguments and its expectation (literals, parameters, fixtures, `self`). If a test uses the result
in another way (`assert f(x)`, `is None`), the call returns True, False and None in turn until the test passes: the
value is chosen angelically (Bodik et al., "Programming with angelic nondeterminism", 2010; Chandra et al., "Angelic
debugging", 2011).
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
import re
from contextlib import contextmanager
from functools import partial
from typing import Any, Dict, Iterator, List, Match, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.execution.allowance import Stopwatch
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.question import Example
from certo_builtin.synthesis.annotations import Signature, may_be
from certo_builtin.synthesis.terms import Near

PROBE = "__certo_probe__"
ANSWERS = (True, False, None)
MAX_RUNS = 64
"""Maximum number of runs of one test while its results are guessed."""

STEPS = 100000
SECONDS = 5.0
"""Time limit of one check by the clock; guessing stops after earlier runs took as long together."""


class Known(NamedTuple):
    """One example: the values of the parameters, and the required result."""

    arguments: Tuple[Any, ...]
    expected: Any


class Refused(NamedTuple):
    """One call that must raise: the values of the parameters, the error, and its message if that is known."""

    arguments: Tuple[Any, ...]
    error: type
    message: str = ""


ERRORS = (ValueError, TypeError, KeyError, IndexError, ZeroDivisionError)
"""Errors that tests usually want, in the order in which they are guessed."""


class Unseen(Exception):
    """The test used an unknown result in a way that reveals nothing about its value."""


NOTHING = object()


class Call:
    """One call of the hole: its original arguments, and the value its result was compared with, if any."""

    def __init__(self, arguments: Tuple[Any, ...]) -> None:
        try:
            self.arguments = copy.deepcopy(arguments)
        except Exception:  # what cannot be copied is looked at as it is
            self.arguments = arguments
        self.expected: Any = NOTHING
        self.guessed = False
        """True if that value is a guess."""
        self.handed_on = False
        """True if the result was passed to `set`, `sorted`, `math.isclose` or the like before any comparison."""
        self.reckoned = False
        """True if a test ordered the result or used it in arithmetic."""
        self.seen_through = False
        """True if that still allowed a comparison."""

    def see(self, expected: Any) -> None:
        """Record the first comparison; an approximation is replaced by its expected value."""
        if self.expected is NOTHING:
            near = type(expected).__name__.startswith("Approx")
            self.expected = copy.deepcopy(expected.expected if near else expected)


class Unknown:
    """A result that is not known yet: equal to anything it is compared with."""

    __hash__ = None  # type: ignore[assignment]  # equal to everything, it can have no hash

    def __init__(self, call: Call) -> None:
        self.call = call

    def __eq__(self, other: object) -> bool:
        self.call.see(other)
        return True

    def __ne__(self, other: object) -> bool:
        self.call.see(other)
        return False

    def __sub__(self, other: Any) -> float:
        """Support comparisons such as `abs(f(x) - 1.5) < 0.01`."""
        self.call.see(other)
        return 0.0

    __rsub__ = __sub__

    # `set`, `sorted` and the like begin with this, `math.isclose` with `__float__`; if the check fails, it runs once
    # more with stand-ins for these functions (`looked_through`).
    def __iter__(self) -> Iterator[Any]:
        self.call.handed_on = True
        raise Unseen

    def __float__(self) -> float:
        self.call.handed_on = True
        raise Unseen

    def __bool__(self) -> bool:
        raise Unseen

    def _reckon(self, *_others: Any) -> Any:
        """Record an ordering or arithmetic; True and False would allow that too, but are not meant by it."""
        self.call.reckoned = True
        raise Unseen

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __neg__ = _reckon
    __truediv__ = __floordiv__ = __index__ = _reckon


class Probe:
    """Stand-in for the hole, and its calls since it was last cleared; it guesses one of `answers`.

    An answer that is a type is an error, which is raised.
    """

    def __init__(self, answers: Sequence[Any] = ANSWERS) -> None:
        self.calls: List[Call] = []
        self.guesses = answers
        self.answers: Dict[int, int] = {}
        setattr(builtins, PROBE, self)

    def __call__(self, arguments: Tuple[Any, ...]) -> Any:
        """Answer one call, with an Unknown unless the result is being guessed."""
        number = len(self.calls)
        call = Call(arguments)
        self.calls.append(call)
        if number in self.answers:
            call.expected, call.guessed = self.guesses[self.answers[number]], True
            if isinstance(call.expected, type):
                raise call.expected
            return call.expected
        return Unknown(call)

    def guess_on(self) -> bool:
        """Choose the next guess for the last undetermined call; return False if there is none left."""
        # The last undetermined call takes its next answer, while earlier ones keep theirs, because the way to it
        # depends on them. Once its answers are exhausted the check is given up: all combinations would be too many.
        for number in reversed(range(len(self.calls))):
            if number in self.answers:
                if self.answers[number] + 1 < len(self.guesses):
                    self.answers[number] += 1
                    return True
                del self.answers[number]
                return False
            if self.calls[number].expected is NOTHING and not self.calls[number].reckoned and self.guesses:
                self.answers[number] = 0
                return True
        return False


class _Through(type):
    """Metaclass of stand-ins for `set`, `sorted` or `list`, which behave like the original to any inspection."""

    real: Any

    def __call__(cls, *given: Any, **named: Any) -> Any:
        """Return the unknown itself, which then records its expected value up to such a call."""
        return _through(given[0]) if given and isinstance(given[0], Unknown) else cls.real(*given, **named)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.real)


def _through(unknown: Unknown) -> Unknown:
    unknown.call.seen_through = True
    return unknown


@contextmanager
def looked_through() -> Iterator[None]:
    """Allow tests to write `set(f(x)) == {…}`, `sorted(f(x)) == […]` or `math.isclose(f(x), …)` on an unknown.

    The expected value is then known up to the order of its elements; the set or sorted list stands for it.
    """
    near = math.isclose

    def is_close(first: Any, second: Any, **named: Any) -> bool:
        for one, other in ((first, second), (second, first)):
            if isinstance(one, Unknown):
                return bool(one == Near.within(other, named.get("rel_tol", 1e-9)))
        return near(first, second, **named)

    kept = {name: getattr(builtins, name) for name in ("set", "list", "tuple")}
    sort = sorted
    try:
        for name, real in kept.items():
            setattr(builtins, name, _Through(name, (), {"real": real}))
        builtins.sorted = lambda values, **named: (  # type: ignore[assignment]  # put back below
            _through(values) if isinstance(values, Unknown) else sort(values, **named)
        )
        math.isclose = is_close  # type: ignore[assignment]  # put back below
        yield
    finally:
        for name, real in kept.items():
            setattr(builtins, name, real)
        builtins.sorted = sort
        math.isclose = near


def from_checks(
    runner: CandidateRunner, signature: Signature, refused: Optional[List[Refused]] = None, errors: Sequence[type] = ()
) -> List[Known]:
    """Return the examples in the checks, found by running them on the probe, which must be in place.

    If there is a list for them, the calls that must raise are added to `refused`. The `errors` are guessed first.
    """
    raised = () if refused is None else tuple(dict.fromkeys((*errors, *ERRORS)))
    wanted: List[Refused] = [] if refused is None else refused
    probe = Probe([*(answer for answer in ANSWERS if may_be(answer, signature.returns)), *raised])
    found: List[Known] = []
    for index in range(len(runner.checks)):
        if runner.checks[index].identity.startswith("doctest"):
            continue
        probe.answers = {}
        watch = Stopwatch()
        for _ in range(MAX_RUNS):
            probe.calls = []
            passed = runner.run_check(index, STEPS, SECONDS) == PASSED
            if not passed and any(call.handed_on for call in probe.calls):
                probe.calls = []
                with looked_through():
                    passed = runner.run_check(index, STEPS, SECONDS) == PASSED
            if passed or watch.seconds > SECONDS or not probe.guess_on():
                break
        watch.close()
        for number, call in enumerate(probe.calls):
            # The last of the guesses is no answer if the test passed with none of them.
            if call.expected is NOTHING or (call.guessed and not passed and number not in probe.answers):
                continue
            if call.guessed and isinstance(call.expected, type):
                wanted.append(Refused(signature.arguments(call.arguments), call.expected))
            else:
                result = signature.result(call.expected, seen_through=call.seen_through)
                found.append(Known(signature.arguments(call.arguments), result))
    return found


def from_doctests(
    runner: CandidateRunner,
    examples: Sequence[Example],
    names: Dict[str, Any],
    signature: Signature,
    refused: Optional[List[Refused]] = None,
) -> List[Known]:
    """Return the doctest examples whose expectation is a literal or a comparison; the probe must be in place.

    If there is a list for them, the calls with a traceback are added to `refused`.
    """
    probe = Probe()
    found: List[Known] = []
    space = dict(names)
    for example in examples:
        probe.calls = []
        traceback = _TRACEBACK.match(example.expected.strip())
        show = partial(_refuse, example, traceback, space, refused) if traceback else None
        runner.run_limited(show or partial(_show, example, space, found, signature), STEPS, SECONDS)
    return found


_TRACEBACK = re.compile(r"Traceback \(.*\n(?P<error>[\w.]+)(?:: (?P<message>.*))?$", re.DOTALL)


def _refuse(example: Example, traceback: Match[str], space: Dict[str, Any], refused: Optional[List[Refused]]) -> None:
    """Run one example that must raise, and record its call."""
    result = eval(example.source.strip(), space)
    error = eval(traceback.group("error"), space)
    if isinstance(result, Unknown) and isinstance(error, type) and refused is not None:
        refused.append(Refused(result.call.arguments, error, traceback.group("message") or ""))


def _show(example: Example, space: Dict[str, Any], found: List[Known], signature: Signature) -> None:
    """Run one example, and record the expected result of a call whose value it prints or compares.

    A printed value must have exactly the shown type, whatever is declared: `3` is no float's text.
    """
    try:
        code = compile(example.source.strip(), "<doctest>", "eval")
    except SyntaxError:
        # A statement, which later examples build on.
        exec(example.source, space)
        return
    result = eval(code, space)
    if isinstance(result, Unknown):
        expected, given = example.expected.strip() or "None", result.call.arguments
        if example.equals:
            value = signature.result(eval(expected, space), seen_through=False)
            found.append(Known(signature.arguments(given), value))
        else:
            found.append(Known(given, ast.literal_eval(expected)))


def distinct(found: Sequence[Known]) -> List[Known]:
    """Return the examples with different arguments, in order, without those that contradict an earlier one."""
    seen: Dict[str, Known] = {}
    for one in found:
        seen.setdefault(repr(one.arguments), one)
    return list(seen.values())
