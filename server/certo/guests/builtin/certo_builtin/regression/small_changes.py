"""The mutants of a function that no tests need to exist for, and those that existing tests do not notice."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Sequence, Set

from certo_builtin.differential.call_runner import parts_of
from certo_builtin.differential.versions import Call, Loaded
from certo_builtin.execution.checks import Check
from certo_builtin.execution.runner import FAILED, MAX_STEPLESS_SECONDS, PASSED, CandidateRunner
from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import traced
from certo_builtin.strength.mutants import Mutant, mutants

MAX_TRACED = 24
"""Number of calls under observation, from which the types of variables are known."""

FUEL = 8000
SLOW_SECONDS = 1.0
"""Duration above which a test is not run on every mutant."""


def small_changes(loaded: Loaded, request: Dict[str, Any], calls: Sequence[Call]) -> List[Mutant]:
    """Return mutants of the function, deterministic for the request's seed."""

    def run(call: Call) -> None:
        function, arguments, named = parts_of(call, dict(loaded.names))
        function(*arguments, **named)

    checks = [Check("", functools.partial(run, call), owed=False) for call in calls[:MAX_TRACED]]
    trace = traced(CandidateRunner(loaded.hot_swap, checks, loaded.runner.meter, loaded.allowance))
    scope: Dict[str, Any] = next(iter(loaded.hot_swap.namespaces), {})
    context = RepairContext(loaded.hot_swap.source, loaded.target, trace.kinds, trace.attributes, scope=scope)
    found = mutants(context, loaded.hot_swap, request["end"], request["seed"], ())
    return found[: request["mutants"]]


def unnoticed_by(loaded: Loaded, checks: Sequence[Check], found: Sequence[Mutant]) -> Set[int]:
    """Return the numbers of the mutants that none of the tests notices which pass on the original."""
    every = set(range(len(found)))
    if not checks or not found:
        return every
    runner = CandidateRunner(loaded.hot_swap, checks, loaded.runner.meter, loaded.allowance)
    trace = traced(runner)
    counted = [
        index
        for index, used in enumerate(trace.used)
        if used and trace.endings[index] == PASSED and trace.seconds[index] < SLOW_SECONDS
    ]
    if not counted:
        return every
    runner.order = sorted(counted, key=lambda index: (trace.used[index], index))
    runner.telling = set(counted)
    fuel = max(FUEL, 10 * max(trace.used[index] for index in counted))
    noticed = {
        number
        for number, judged in runner.judge([mutant.edits for mutant in found], fuel, MAX_STEPLESS_SECONDS)
        if judged.ending == FAILED
    }
    return every - noticed
