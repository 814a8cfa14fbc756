"""The program: make the same calls of many versions of a function, and tell what comes of each in each version.

A version is known by its number; the text as it stands on disk is number 0. A call is made once of each, and once more
of number 1 in another process and in the opposite order, so that a function that answers otherwise from one time to
the next is known by it. What did not come back is not asked again.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Sequence

from certo_builtin.allowance import Allowance, Spent
from certo_builtin.distinguishing.trying import ENDLESS, Trial, bench_of
from certo_builtin.forks import each
from certo_builtin.source import Edit
from certo_builtin.trial import Bench
from certo_worker.importing import import_file

STEPS = 20000
SECONDS = 1.0
"""What one call may take by the clock, where it does no steps that are counted."""

MOST_ENDLESS = 4
"""After so many calls that do not come back no more are made of a version."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Make the calls and tell for each version what came of those that were made, by their numbers."""
    allowance = Allowance(request["seconds"])
    module = import_file(os.path.join(request["root"], request["path"]), request["root"])
    bench = bench_of(request, allowance)
    if bench is None:
        return
    calls: List[Dict[str, Any]] = request["calls"]
    trial = Trial(bench, vars(module), STEPS, SECONDS)
    versions: List[List[Edit]] = [[], *([tuple(edit) for edit in edits] for edits in request["versions"])]
    forth, back = range(len(calls)), range(len(calls) - 1, -1, -1)
    try:
        first = _outcomes(bench, trial, versions[1], calls, forth)
        # Of those that do not come back only so many are waited for, and others would be missing for it.
        settled = [number for number in back if first[number] not in (None, ENDLESS)]
        tell({"kind": "again", "outcomes": _outcomes(bench, trial, versions[1], calls, settled)})
        for number, edits in enumerate(versions):
            outcomes = first if number == 1 else _outcomes(bench, trial, edits, calls, forth)
            tell({"kind": "outcomes", "version": number, "outcomes": outcomes})
    except Spent:
        return


def _outcomes(
    bench: Bench, trial: Trial, edits: Sequence[Edit], calls: Sequence[Dict[str, Any]], order: Sequence[int]
) -> List[Any]:
    """What comes of the calls in a child with one version in place, None for those that were not made."""
    grafted: List[bool] = []

    def work(number: int) -> Any:
        if not grafted:
            bench.graft.try_on(edits)
            grafted.append(True)
        return trial.outcome(calls[number])

    outcomes: List[Any] = [None] * len(calls)
    endless = 0
    for number, came in each(work, order, SECONDS + 1.0, bench.allowance):
        outcomes[number] = came or ENDLESS
        endless += outcomes[number] == ENDLESS
        if endless > MOST_ENDLESS:
            break
    return outcomes
