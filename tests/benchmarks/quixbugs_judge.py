"""Judges one repaired QuixBugs program against its reference on seeded random inputs; a program of its own.

Reads {"name", "entry_point", "support", "correct", "source"} from standard input and prints {"correct", "checked",
"counterexample"}. It runs what a search wrote, so it belongs into a process that may be killed.
"""

from __future__ import annotations

import copy
import json
import random
import signal
import sys
from typing import Any

from quixbugs_inputs import DRAWS, same

INPUTS = 300
SEED = 12345
REFERENCE_SECONDS = 0.1
ANSWER_SECONDS = 2.0
TRUTHS = {"is_valid_parenthesization", "breadth_first_search", "depth_first_search", "detect_cycle"}


class TooSlowError(BaseException):
    """A call did not come back; no Exception, so that the code under judgement does not catch it."""


def ring(number: int, frame: object) -> None:
    raise TooSlowError


def answer(function: Any, arguments: tuple[Any, ...], name: str, seconds: float) -> Any:
    """Call a function within a time; generators are run to their end."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        got = function(*arguments)
        if name in TRUTHS:
            return bool(got)
        return list(got) if name in ("flatten", "kheapsort") else got
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def judge(case: dict[str, Any]) -> dict[str, Any]:
    """Compare on inputs the reference can handle; the first that differs is the counterexample."""
    name = case["name"]
    reference: dict[str, Any] = {}
    exec(case["support"], reference)
    candidate = dict(reference)
    exec(case["correct"], reference)
    exec(case["source"], candidate)
    chance = random.Random(SEED)
    checked = 0
    for _ in range(4 * INPUTS):
        if checked == INPUTS:
            break
        given = DRAWS[name](chance, reference["Node"])
        first, second, kept = copy.deepcopy(given), copy.deepcopy(given), copy.deepcopy(given)
        try:
            want = answer(reference[case["entry_point"]], first, name, REFERENCE_SECONDS)
        except (Exception, TooSlowError):  # noqa: BLE001 - the input is outside what the program asks for
            continue
        checked += 1
        try:
            got = answer(candidate[case["entry_point"]], second, name, ANSWER_SECONDS)
            # A topological order names the very nodes it was given.
            right = same(name, second if name == "topological_ordering" else kept, got, want)
        except (Exception, TooSlowError) as error:  # noqa: BLE001 - the program under judgement may raise anything
            got, right = repr(error), False
        if not right:
            return {"correct": False, "checked": checked, "counterexample": [repr(kept)[:200], repr(got)[:100]]}
    return {"correct": checked > 0, "checked": checked, "counterexample": None}


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, ring)
    print(json.dumps(judge(json.load(sys.stdin))))
