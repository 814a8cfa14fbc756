"""The smallest set of calls that notices the most mutants and executes the most branches: greedy set cover."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, NamedTuple, Sequence, Set

from certo_builtin.regression.kill_matrix import Candidate

NEARLY = 0.8
"""Share of the largest gain from which on the plainest call is taken."""

BRANCH_WORTH = 2
"""Worth of a branch that no test reaches yet, in mutants."""


class Chosen(NamedTuple):
    """A call that is worth a test, by its number: the mutants and branches that it adds to those before it."""

    number: int
    mutants: FrozenSet[int]
    branches: FrozenSet[int]


def cover(
    candidates: Sequence[Candidate],
    noticed: Dict[int, Set[int]],
    mutants: Set[int],
    branches: Set[int],
    most: int,
    eligible: Set[int],
) -> List[Chosen]:
    """Return at most so many calls among the `eligible`; `mutants` are those to be noticed.

    `branches` are those that tests execute already.
    """
    by_call: List[Set[int]] = [set() for _ in candidates]
    for mutant in mutants:
        for number in noticed.get(mutant, ()):
            by_call[number].add(mutant)
    numbers = _greedy(candidates, by_call, set(branches), most, eligible)
    numbers = _needed(candidates, by_call, set(branches), numbers)
    return _with_gains(candidates, by_call, set(branches), numbers)


def _greedy(
    candidates: Sequence[Candidate], by_call: Sequence[Set[int]], seen: Set[int], most: int, eligible: Set[int]
) -> List[int]:
    left: Set[int] = set().union(*by_call) if by_call else set()
    chosen: List[int] = []
    while len(chosen) < most:
        gains = {
            number: len(by_call[number] & left) + BRANCH_WORTH * len(candidate.branches - seen)
            for number, candidate in enumerate(candidates)
            if number in eligible and number not in chosen
        }
        best = max(gains.values(), default=0)
        if not best:
            break
        near = [number for number, gain in gains.items() if gain >= NEARLY * best]
        number = min(near, key=lambda one: candidates[one].weight)
        chosen.append(number)
        left -= by_call[number]
        seen |= candidates[number].branches
    return chosen


def _needed(
    candidates: Sequence[Candidate], by_call: Sequence[Set[int]], seen: Set[int], numbers: List[int]
) -> List[int]:
    """Return the calls without those whose mutants and branches the others have too."""
    kept = list(numbers)
    for number in sorted(numbers, key=lambda one: (len(by_call[one]), -len(candidates[one].text))):
        others = [one for one in kept if one != number]
        mutants: Set[int] = set().union(*(by_call[one] for one in others))
        branches = seen.union(*(candidates[one].branches for one in others))
        if by_call[number] <= mutants and candidates[number].branches <= branches:
            kept = others
    return kept


def _with_gains(
    candidates: Sequence[Candidate], by_call: Sequence[Set[int]], seen: Set[int], numbers: Sequence[int]
) -> List[Chosen]:
    """Return the calls, plainest first, with what each adds to those before it."""
    known: Set[int] = set()
    found = []
    for number in sorted(numbers, key=lambda one: candidates[one].weight):
        mutants, branches = by_call[number] - known, candidates[number].branches - seen
        known |= mutants
        seen |= branches
        found.append(Chosen(number, frozenset(mutants), frozenset(branches)))
    return found
