"""Guest program that makes the same calls in many versions of a function and reports the outcomes.

A version is known by its number; the text on disk is number 0. Each call is made once per version, and once more of
number 1 in another process and in reverse order, which reveals functions with changing results. Calls that hang are not
repeated. With `alone`, each call has a process of its own, in which nothing has been called before.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Sequence

from certo_builtin.differential.call_runner import ENDLESS, Trial, names_for, runner_for
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.source import Edit
from certo_worker.suite.module_import import import_file

STEPS = 20000
SECONDS = 1.0
"""Time limit of one call by the clock, for code without counted steps."""

MAX_HANGING_CALLS = 4
"""Number of hanging calls after which no more are made of a version."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Make the calls and report the outcomes of each version by the calls' numbers."""
    allowance = Allowance(request["seconds"])
    module = import_file(os.path.join(request["root"], request["path"]), request["root"])
    runner = runner_for(request, allowance)
    if runner is None:
        return
    calls: List[Dict[str, Any]] = request["calls"]
    trial = Trial(runner, names_for(vars(module)), STEPS, SECONDS)
    making = _Making(runner, trial, calls, request["alone"])
    versions: List[List[Edit]] = [[], *([tuple(edit) for edit in edits] for edits in request["versions"])]
    forth, back = range(len(calls)), range(len(calls) - 1, -1, -1)
    try:
        first = making.outcomes(versions[1], forth)
        # Only a limited number of hanging calls is waited for, so repeating them could cost other calls their turn.
        settled = [number for number in back if first[number] not in (None, ENDLESS)]
        tell({"kind": "again", "outcomes": making.outcomes(versions[1], settled)})
        for number, edits in enumerate(versions):
            outcomes = first if number == 1 else making.outcomes(edits, forth)
            tell({"kind": "outcomes", "version": number, "outcomes": outcomes})
    except Spent:
        return


class _Making:
    """Makes the calls of a request in children with one version in place; `alone` gives each call one of its own."""

    def __init__(self, runner: CandidateRunner, trial: Trial, calls: Sequence[Dict[str, Any]], alone: bool) -> None:
        self._bench = runner
        self._trial = trial
        self._calls = calls
        self._alone = alone

    def outcomes(self, edits: Sequence[Edit], order: Sequence[int]) -> List[Any]:
        """Return the outcomes of the calls in a version, None for those that were not made."""
        grafted: List[bool] = []

        def work(number: int) -> Any:
            if not grafted:
                self._bench.hot_swap.try_on(edits)
                grafted.append(True)
            return self._trial.outcome(self._calls[number])

        outcomes: List[Any] = [None] * len(self._calls)
        endless = 0
        for number, came in each(work, order, SECONDS + 1.0, self._bench.allowance, alone=self._alone):
            outcomes[number] = came or ENDLESS
            endless += outcomes[number] == ENDLESS
            if endless > MAX_HANGING_CALLS:
                break
        return outcomes
