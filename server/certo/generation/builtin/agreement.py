"""Groups of candidates that behave alike, and the calls that tell the others apart, whatever generator wrote them.

Each runs in a sandbox of its own on the same calls. Two that raise count as alike, whatever the exceptions: neither
gives an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from certo.behaviour.call import RecordedCall, callee_of
from certo.behaviour.execution import ComparedCandidate, compared_candidate
from certo.behaviour.outcome import CallOutcome, differ, told
from certo.concurrency import gather_until
from certo.generation.builtin.candidate_selection import MAX_CONFIRMED, typical_calls
from certo.generation.builtin.clusters import Outcomes, clusters, difference, separating
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Difference, Observation
from certo.vocabulary.problem import Problem

_RAISES = CallOutcome("raises")
"""Outcome of every call that raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The numbers of the candidates in groups of like behaviour; without groups, `reason` says why they are unknown.

    `calls` are a few that distinguish all groups, `outcomes` the outcomes of these in each group's first member.
    """

    groups: tuple[tuple[int, ...], ...] = ()
    reason: str = ""
    calls: tuple[RecordedCall, ...] = ()
    outcomes: Mapping[int, Outcomes] = field(default_factory=dict)

    def difference(self, one: int, other: int) -> Difference | None:
        """Return a call on which two candidates differ, preferably in values."""
        ours, theirs = self.outcomes[self._leader(one)], self.outcomes[self._leader(other)]
        return difference(ours, theirs, range(len(self.calls)), self.calls)

    def observations(self, candidate: int) -> tuple[Observation, ...]:
        """Return a candidate's results of the calls, as texts that candidates of like behaviour share."""
        leaders = [group[0] for group in self.groups]
        place = leaders.index(self._leader(candidate))
        seen = []
        for number, call in enumerate(self.calls):
            outcomes = [outcome for leader in leaders if (outcome := self.outcomes[leader][number]) is not None]
            seen.append(Observation(call=call.text, result=told(*outcomes)[place]))
        return tuple(seen)

    def _leader(self, candidate: int) -> int:
        return next(group[0] for group in self.groups if candidate in group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparer:
    """Compares candidates in a search's sandbox; equal `seed`, equal calls."""

    executor: Executor
    interpreter: Interpreter
    seed: int

    async def agreement(self, problem: Problem, texts: Sequence[str]) -> Agreement:
        """Group several versions of a problem's document by the behaviour of their target.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        name = problem.target.qualname
        sides = [compared_candidate(problem, text, self.executor, self.interpreter) for text in texts]
        found = [side for side in sides if side is not None]
        callee = callee_of(found[0].definition, name) if len(found) == len(sides) else None
        if callee is None:
            return Agreement(reason=f"{name} cannot be called from outside in each of them")
        known = await found[0].known(callee, self.seed)
        calls = typical_calls(known.calls, found[0], callee, self.seed)
        if not calls:
            return Agreement(reason=f"there is no input to try on {name}")
        versions = await gather_until([partial(_outcomes, side, calls) for side in found], lambda _: False)
        compared = _Compared(sides=found, calls=calls, versions=list(versions.values()))
        return await compared.agreement(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The outcomes of the calls in each candidate."""

    sides: Sequence[ComparedCandidate]
    calls: Sequence[RecordedCall]
    versions: Sequence[Outcomes]

    async def agreement(self, name: str) -> Agreement:
        """Group the candidates by calls whose outcomes are reproduced in a fresh process."""
        # A candidate that is unsteady, or cannot be run, is left out, and does not affect the others.
        present = [place for place, version in enumerate(self.versions) if 2 * version.count(None) < len(version)]
        numbers = self._comparable(present)
        groups = self._grouped(present, numbers)
        wanted = self._separating(groups, numbers)
        held = await self._confirmed(groups, wanted)
        if len(held) < len(wanted):
            others = sorted({*numbers} - {*wanted}, key=lambda number: self.calls[number].weight)
            numbers = (*held, *await self._confirmed(groups, others[:MAX_CONFIRMED]))
            groups = self._grouped(present, numbers)
            held = self._separating(groups, numbers)
        if len(present) < 2 or not numbers:
            return Agreement(reason=f"{name} gives nothing that could be compared for the same input")
        outcomes = {group[0]: tuple(self.versions[group[0]][number] for number in held) for group in groups}
        return Agreement(groups=groups, calls=tuple(self.calls[number] for number in held), outcomes=outcomes)

    def _comparable(self, present: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of the calls with inspectable outcomes in all candidates, and answers in half of them."""
        seen = [[self.versions[place][number] for place in present] for number in range(len(self.calls))]
        return tuple(
            number
            for number, outcomes in enumerate(seen)
            if all(outcome is not None and not outcome.is_opaque for outcome in outcomes)
            and 2 * sum(outcome is not None and outcome.is_answer for outcome in outcomes) >= len(outcomes)
        )

    def _grouped(self, present: Sequence[int], numbers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the groups that behave alike on these calls, the largest first, equal ones in their order."""
        groups = clusters([self._alike(place) for place in present], numbers)
        placed = (tuple(present[each] for each in group) for group in groups)
        return tuple(sorted(placed, key=len, reverse=True))

    def _alike(self, place: int) -> Outcomes:
        """Return the outcomes of the calls in a candidate, with all exceptions as one."""
        return tuple(
            _RAISES if outcome is not None and outcome.kind == "raises" else outcome for outcome in self.versions[place]
        )

    def _separating(self, groups: Sequence[Sequence[int]], numbers: Sequence[int]) -> tuple[int, ...]:
        return separating([self._alike(group[0]) for group in groups], numbers, self.calls)

    async def _confirmed(self, groups: Sequence[Sequence[int]], numbers: Sequence[int]) -> tuple[int, ...]:
        """Return the calls whose outcomes the first member of every group reproduces in a fresh process."""
        held = list(numbers)
        for first in [group[0] for group in groups]:
            if not held:
                break
            again = await self.sides[first].tried([self.calls[number] for number in held], alone=True)
            version = self.versions[first]
            held = [number for place, number in enumerate(held) if _is_same(version[number], again.outcomes.get(place))]
        return tuple(held)


async def _outcomes(side: ComparedCandidate, calls: Sequence[RecordedCall]) -> Outcomes:
    tried = await side.tried(calls)
    return tuple(tried.outcomes.get(number) for number in range(len(calls)))


def _is_same(one: CallOutcome | None, other: CallOutcome | None) -> bool:
    return one is not None and other is not None and not differ(one, other)
