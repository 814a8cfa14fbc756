"""Finding out what a place should have given, by letting the checks run with other answers there.

For a condition an angel decides: each evaluation in turn, those from one on, or all of them come out the other way, and
where a failing check then passes, its decisions are what the condition should have been (Chandra et al., "Angelic
debugging", 2011; Xuan et al., "Nopol", 2017; Long and Rinard, "Staged program repair with condition synthesis", 2015).
What is returned is told by the checks themselves: they compare it, and a stand-in remembers with what.
"""

from __future__ import annotations

import builtins
import copy
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.synthesis.expected_values import NOTHING, Call, Unknown

HOOK = "__certo_place__"
FUEL = 60000
SECONDS = 1.0

MAX_FLIPS = 24
"""Evaluations of one check that are decided otherwise one by one, at most."""

MAX_SEEN = 200
"""Evaluations of one check that are remembered."""

UNBOUND = object()


class Seen(NamedTuple):
    """One evaluation: the values of the variables, what the expression gave, what it was to give."""

    values: Tuple[Any, ...]
    gave: Any
    wanted: Any


Plan = Callable[[int, bool], bool]


def value_of(of: Callable[[], Any]) -> Any:
    """A copy of what is called for; UNBOUND where there is none."""
    try:
        return copy.deepcopy(of())
    except Exception:  # a variable that is not bound yet, or that cannot be copied
        return UNBOUND


class Angel:
    """Stands at a condition and decides by a plan, which is given the number of the evaluation and the true answer."""

    def __init__(self) -> None:
        self.seen: List[Seen] = []
        self.count = 0
        self.plan: Plan = lambda _, actual: actual
        setattr(builtins, HOOK, self)

    def begin(self, plan: Plan) -> None:
        """Forget what was seen, and decide by another plan from now on."""
        self.seen, self.count, self.plan = [], 0, plan

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> bool:
        """Decide one evaluation."""
        try:
            actual: Optional[bool] = bool(given())
        except Exception:  # it may be this very failure that is to be repaired
            actual = None
        wanted = self.plan(self.count, bool(actual))
        if actual is None and wanted is False:
            given()
        self.count += 1
        if len(self.seen) < MAX_SEEN:
            self.seen.append(Seen(tuple(map(value_of, names)), actual, wanted))
        return wanted


def _plans(count: int) -> Iterator[Plan]:
    """Ways to decide otherwise: the fewest changes first."""
    few = min(count, MAX_FLIPS)
    for turn in range(few):
        yield lambda number, actual, turn=turn: actual is not (number == turn)  # type: ignore[misc]  # a lambda's default
    yield lambda _number, _actual: True
    yield lambda _number, _actual: False
    for turn in range(1, few):
        yield lambda number, actual, turn=turn: actual if number < turn else not actual  # type: ignore[misc]  # as above


def decisions(bench: CandidateRunner, failing: Sequence[int]) -> Iterator[List[Seen]]:
    """Yield the angelic values of a condition over all checks, at most two different sequences; the hook is in place.

    Nothing where some failing check cannot be made to pass by deciding otherwise.
    """
    angel = Angel()
    kept: List[Seen] = []
    for index in range(len(bench.checks)):
        if index not in failing:
            angel.begin(lambda _, actual: actual)
            if bench.run_check(index, FUEL, SECONDS) == PASSED:
                kept += angel.seen
    ways: List[List[List[Seen]]] = []
    for index in failing:
        found = list(_passing(bench, angel, index))
        if not found:
            return
        ways.append(found)
    for choice in (0, -1) if any(len(found) > 1 for found in ways) else (0,):
        yield kept + [seen for found in ways for seen in found[choice]]


def _passing(bench: CandidateRunner, angel: Angel, index: int) -> Iterator[List[Seen]]:
    """The evaluations of one check in the first plan that makes it pass, and in one that always says the same."""
    angel.begin(lambda _, actual: actual)
    bench.run_check(index, FUEL, SECONDS)
    found = 0
    for plan in _plans(angel.count):
        angel.begin(plan)
        if bench.run_check(index, FUEL, SECONDS) == PASSED:
            yield list(angel.seen)
            found += 1
            if found == 2:
                return


class Standing:
    """Stands at a result, and answers with what claims to equal anything and remembers what that was."""

    def __init__(self) -> None:
        self.calls: List[Tuple[Call, Any]] = []
        setattr(builtins, HOOK, self)

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> Unknown:
        """Answer one call."""
        call = Call(tuple(map(value_of, names)))
        self.calls.append((call, value_of(given)))
        return Unknown(call)


def wanted_results(bench: CandidateRunner) -> List[Seen]:
    """Return the angelic values of a result over all checks; the hook is in place."""
    standing = Standing()
    found: List[Seen] = []
    for index in range(len(bench.checks)):
        standing.calls = []
        if bench.run_check(index, FUEL, SECONDS) == PASSED:
            found += [
                Seen(call.arguments, gave, call.expected)
                for call, gave in standing.calls
                if call.expected is not NOTHING
            ]
    return found


def consistent(seen: Sequence[Seen]) -> List[Seen]:
    """The different evaluations; none when the same values should have given different things."""
    found: Dict[str, Seen] = {}
    for one in seen:
        try:
            key = repr(one.values)
            same = found.setdefault(key, one)
            if repr(same.wanted) != repr(one.wanted):
                return []
        except Exception:  # a project's own __repr__ may raise
            return []
    return list(found.values())
