"""Calls that notice mutants: each mutant is put in place once, and all calls are made of it."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Sequence, Set

from certo_builtin.differential.call_runner import parts_of
from certo_builtin.differential.outcome_difference import STRONG, difference, is_compared
from certo_builtin.differential.versions import STEPS, Call, LocalVersion, Outcome, made
from certo_builtin.execution.fork_pool import each

FACTOR = 30
MIN_STEPS = 3000
"""Steps of a call in a mutant: so many times those in the original, or this many if that is more."""

MAX_ENDLESS = 2
"""Number of calls of one mutant that may not come back before no more are made of it."""

STALL_SECONDS = 4.0
"""Time limit of all calls of one mutant, if it does not come back without counted steps."""


class Candidate:
    """A call with its outcome in the original; `is_usual` if callers may make such a call.

    It is `preferred` if it is made with an object that tests have already.
    """

    def __init__(
        self, call: Call, text: str, outcome: Outcome, *, is_usual: bool, source: str, preferred: bool = False
    ) -> None:
        self.call = call
        self.text = text
        self.outcome = outcome
        self.is_usual = is_usual
        self.source = source
        self.preferred = preferred
        self.branches = frozenset(outcome["branches"])

    @property
    def weight(self) -> Any:
        """Sort key by which plainer calls come first."""
        return not self.is_usual, not self.preferred, len(self.text), self.text


def noticed(version: LocalVersion, candidates: Sequence[Candidate]) -> Set[int]:
    """Return the numbers of the calls whose outcome differs in a version that is in place."""
    found: Set[int] = set()
    endless = 0
    for number, candidate in enumerate(candidates):
        steps = min(STEPS, max(MIN_STEPS, FACTOR * candidate.outcome["steps"]))
        outcome = version.outcome(functools.partial(_made, version, candidate.call), steps)
        if is_compared(candidate.outcome, outcome):
            endless += outcome["kind"] == "endless"
        elif difference(candidate.outcome, outcome) in STRONG:
            found.add(number)
            endless += outcome["kind"] == "endless"
        if endless > MAX_ENDLESS:
            break
    return found


def _made(version: LocalVersion, call: Call) -> Outcome:
    function, arguments, named = parts_of(call, dict(version.loaded.names))
    return made(function, arguments, named)


def kill_matrix(versions: Dict[int, LocalVersion], candidates: Sequence[Candidate]) -> Dict[int, Set[int]]:
    """Return the numbers of the calls that notice each version, by its key; without those that were lost."""
    keys = sorted(versions)
    if not keys or not candidates:
        return {key: set() for key in keys}
    allowance = versions[keys[0]].loaded.allowance

    def work(place: int) -> List[int]:
        version = versions[keys[place]]
        version.put_in_place()
        return sorted(noticed(version, candidates))

    return {
        keys[place]: set(came)
        for place, came in each(work, range(len(keys)), STALL_SECONDS, allowance)
        if came is not None
    }
