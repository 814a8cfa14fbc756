"""Angelic values: the values that an expression should have had for the failing checks to pass.

A hook replaces one suspicious expression. For a condition the hook negates single evaluations, all evaluations from one
on, or all of them. If a failing check then passes, the decisions of that run are the condition's angelic values
(Chandra et al., "Angelic debugging", 2011; Xuan et al., "Nopol", 2017; Long and Rinard, "Staged program repair with
condition synthesis", 2015). For a result the checks give the values themselves: the hook returns a stand-in, which
records the value that a check compares it with. `filler` then synthesises an expression with these values.
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
"""Maximum number of evaluations of one check that are negated one by one."""

MAX_SEEN = 200
"""Maximum number of recorded evaluations per check."""

UNBOUND = object()


class Seen(NamedTuple):
    """One evaluation: the values of the variables, the expression's own value, and its angelic value."""

    values: Tuple[Any, ...]
    gave: Any
    wanted: Any


Plan = Callable[[int, bool], bool]


def value_of(of: Callable[[], Any]) -> Any:
    """Return a copy of the value of a call; UNBOUND if it raises or cannot be copied."""
    try:
        return copy.deepcopy(of())
    except Exception:  # a variable that is not bound yet, or that cannot be copied
        return UNBOUND


class AngelicCondition:
    """Hook at a condition: it decides by a plan, given the evaluation's number and the condition's own value."""

    def __init__(self) -> None:
        self.seen: List[Seen] = []
        self.count = 0
        self.plan: Plan = lambda _, actual: actual
        setattr(builtins, HOOK, self)

    def begin(self, plan: Plan) -> None:
        """Discard the recorded evaluations, and use another plan from now on."""
        self.seen, self.count, self.plan = [], 0, plan

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> bool:
        """Decide one evaluation."""
        try:
            actual: Optional[bool] = bool(given())
        except Exception:  # it may be this very failure that is to be repaired
            actual = None
        wanted = self.plan(self.count, bool(actual))
        # The plan does not overrule the condition, so its exception is raised as in the original code.
        if actual is None and wanted is False:
            given()
        self.count += 1
        if len(self.seen) < MAX_SEEN:
            self.seen.append(Seen(tuple(map(value_of, names)), actual, wanted))
        return wanted


def _plans(count: int) -> Iterator[Plan]:
    """Yield the plans, those with the fewest negated evaluations first.

    Bugs rarely need more. All subsets of the evaluations would be exponentially many.
    """
    few = min(count, MAX_FLIPS)
    for turn in range(few):
        yield lambda number, actual, turn=turn: actual is not (number == turn)  # type: ignore[misc]  # a lambda's default
    yield lambda _number, _actual: True
    yield lambda _number, _actual: False
    for turn in range(1, few):
        yield lambda number, actual, turn=turn: actual if number < turn else not actual  # type: ignore[misc]  # as above


def decisions(runner: CandidateRunner, failing: Sequence[int]) -> Iterator[List[Seen]]:
    """Yield the angelic values of a condition over all checks, at most two different sequences; the hook is in place.

    Nothing is yielded if some failing check passes under no plan.
    """
    condition = AngelicCondition()
    kept: List[Seen] = []
    for index in range(len(runner.checks)):
        if index not in failing:
            # A passing check must go on passing, so its own decisions are required too.
            condition.begin(lambda _, actual: actual)
            if runner.run_check(index, FUEL, SECONDS) == PASSED:
                kept += condition.seen
    ways: List[List[List[Seen]]] = []
    for index in failing:
        found = list(_passing(runner, condition, index))
        if not found:
            return
        ways.append(found)
    # Each failing check has one or two plans that let it pass. All combinations would be exponentially many, so every
    # check takes its first plan, or every check its last.
    for choice in (0, -1) if any(len(found) > 1 for found in ways) else (0,):
        yield kept + [seen for found in ways for seen in found[choice]]


def _passing(runner: CandidateRunner, condition: AngelicCondition, index: int) -> Iterator[List[Seen]]:
    """Yield the evaluations of one check under the first two plans that make it pass."""
    condition.begin(lambda _, actual: actual)
    runner.run_check(index, FUEL, SECONDS)
    found = 0
    for plan in _plans(condition.count):
        condition.begin(plan)
        if runner.run_check(index, FUEL, SECONDS) == PASSED:
            yield list(condition.seen)
            found += 1
            if found == 2:
                return


class AngelicResult:
    """Hook at a result: it returns a stand-in that equals everything and records the value it was compared with."""

    def __init__(self) -> None:
        self.calls: List[Tuple[Call, Any]] = []
        setattr(builtins, HOOK, self)

    def __call__(self, given: Callable[[], Any], *names: Callable[[], Any]) -> Unknown:
        """Answer one evaluation."""
        call = Call(tuple(map(value_of, names)))
        self.calls.append((call, value_of(given)))
        return Unknown(call)


def wanted_results(runner: CandidateRunner) -> List[Seen]:
    """Return the angelic values of a result over all checks; the hook is in place."""
    result_hook = AngelicResult()
    found: List[Seen] = []
    for index in range(len(runner.checks)):
        result_hook.calls = []
        if runner.run_check(index, FUEL, SECONDS) == PASSED:
            found += [
                Seen(call.arguments, gave, call.expected)
                for call, gave in result_hook.calls
                if call.expected is not NOTHING
            ]
    return found


def consistent(seen: Sequence[Seen]) -> List[Seen]:
    """Return the distinct evaluations; none if equal variables have different angelic values."""
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
