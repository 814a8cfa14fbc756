"""Groups of candidates that behave alike, and the calls that tell the others apart, whatever generator wrote them.

Each runs in a sandbox of its own on the same calls. Two that raise count as alike, whatever the exceptions: neither
gives an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from certo.behaviour.call import RecordedCall, callee_of
from certo.behaviour.call_pool import required_number
from certo.behaviour.execution import ComparedCandidate, compared_candidate
from certo.behaviour.outcome import CallOutcome, differ, told
from certo.behaviour.typicality import unusualness
from certo.concurrency import gather_until
from certo.generation.builtin.candidate_selection import MAX_CONFIRMED, comparable_calls
from certo.generation.builtin.clusters import Outcomes, difference, most_telling, separating
from certo.generation.builtin.search_program import MAX_CALLS
from certo.generation.builtin.votes import Ballot, Group, distinguished, is_answer, with_one_exception
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Difference, Observation
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The groups of candidates that behave alike, the likeliest first; without any, `reason` says why.

    `calls` are a few that distinguish all groups, `outcomes` the outcomes of these in each group's first member. They
    are `unusual` if no call like those of the tests distinguishes any.
    """

    groups: tuple[Group, ...] = ()
    reason: str = ""
    calls: tuple[RecordedCall, ...] = ()
    outcomes: Mapping[int, Outcomes] = field(default_factory=dict)
    unusual: bool = False

    @property
    def votes(self) -> int:
        """The votes of all groups."""
        return sum(group.votes for group in self.groups)

    def group_of(self, candidate: int) -> Group:
        """Return the group that a candidate is in."""
        return next(group for group in self.groups if candidate in group.members)

    def difference(self, one: int, other: int) -> Difference | None:
        """Return a call on which two candidates differ, preferably in values."""
        ours, theirs = self.outcomes[self._leader(one)], self.outcomes[self._leader(other)]
        return difference(ours, theirs, range(len(self.calls)), self.calls)

    def observations(self, candidate: int) -> tuple[Observation, ...]:
        """Return a candidate's results of the calls, as texts that candidates of like behaviour share."""
        leaders = [group.members[0] for group in self.groups]
        place = leaders.index(self._leader(candidate))
        seen = []
        for number, call in enumerate(self.calls):
            outcomes = [outcome for leader in leaders if (outcome := self.outcomes[leader][number]) is not None]
            seen.append(Observation(call=call.text, result=told(*outcomes)[place]))
        return tuple(seen)

    def _leader(self, candidate: int) -> int:
        return self.group_of(candidate).members[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparer:
    """Compares candidates in a search's sandbox; equal `seed`, equal calls."""

    executor: Executor
    interpreter: Interpreter
    seed: int

    async def agreement(self, problem: Problem, ballots: Sequence[Ballot]) -> Agreement:
        """Group several versions of a problem's document by the behaviour of their target.

        Raises:
            BrokenWorld: Nothing can be run here.
        """
        name = problem.target.qualname
        # In an order of their own, so that the order of their arrival changes nothing.
        order = sorted(range(len(ballots)), key=lambda number: ballots[number].text)
        sides = [compared_candidate(problem, ballots[number].text, self.executor, self.interpreter) for number in order]
        found = [side for side in sides if side is not None]
        callee = callee_of(found[0].definition, name) if len(found) == len(sides) else None
        if callee is None:
            return Agreement(reason=f"{name} cannot be called from outside in each of them")
        pool = await found[0].pool(callee, self.seed, found[1:], MAX_CALLS)
        calls = comparable_calls(pool, required_number(callee, found[0].definition))
        if not calls:
            return Agreement(reason=f"there is no input to try on {name}")
        versions = await gather_until([partial(_outcomes, side, calls) for side in found], lambda _: False)
        broken = unusualness(pool.known)
        compared = _Compared(
            sides=found,
            ballots=[_placed(ballots[number], order) for number in order],
            calls=calls,
            unusual=[broken(call) for call in calls],
            versions=list(versions.values()),
        )
        agreement = await compared.agreement(name)
        return replace(
            agreement,
            groups=tuple(replace(group, members=_numbers(group.members, order)) for group in agreement.groups),
            outcomes={order[place]: outcomes for place, outcomes in agreement.outcomes.items()},
        )


def _placed(ballot: Ballot, order: Sequence[int]) -> Ballot:
    """Return a ballot that tells the places in this order of those it was made of."""
    return replace(ballot, made_of=frozenset(order.index(number) for number in ballot.made_of))


def _numbers(places: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    return tuple(order[place] for place in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The outcomes of the calls in each candidate; `unusual` counts what a call lacks of what all known calls share."""

    sides: Sequence[ComparedCandidate]
    ballots: Sequence[Ballot]
    calls: Sequence[RecordedCall]
    unusual: Sequence[int]
    versions: Sequence[Outcomes]

    async def agreement(self, name: str) -> Agreement:
        """Group the candidates by calls whose outcomes are reproduced in a fresh process."""
        # A candidate that is unsteady, or cannot be run, is left out, and does not affect the others.
        present = [place for place, version in enumerate(self.versions) if 2 * version.count(None) < len(version)]
        comparable = self._comparable(present)
        numbers, groups = self._distinguished(present, comparable)
        wanted = self._telling(groups, numbers)
        held = await self._confirmed(groups, wanted)
        if len(held) < len(wanted):
            others = sorted({*comparable} - {*wanted}, key=self._weight)
            numbers, groups = self._distinguished(
                present, (*held, *await self._confirmed(groups, others[:MAX_CONFIRMED]))
            )
            held = self._telling(groups, numbers)
        if len(present) < 2 or not numbers:
            return Agreement(reason=f"{name} gives nothing that could be compared for the same input")
        return Agreement(
            groups=groups,
            calls=tuple(self.calls[number] for number in held),
            outcomes={
                group.members[0]: tuple(self.versions[group.members[0]][number] for number in held) for group in groups
            },
            unusual=any(self.unusual[number] for number in held),
        )

    def _comparable(self, present: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of the calls with inspectable outcomes in all candidates, and answers in half of them."""
        seen = [[self.versions[place][number] for place in present] for number in range(len(self.calls))]
        return tuple(
            number
            for number, outcomes in enumerate(seen)
            if all(outcome is not None and not outcome.is_opaque for outcome in outcomes)
            and 2 * sum(map(is_answer, outcomes)) >= len(outcomes)
        )

    def _distinguished(
        self, present: Sequence[int], numbers: Sequence[int]
    ) -> tuple[tuple[int, ...], tuple[Group, ...]]:
        return distinguished(self.versions, self.ballots, present, self.unusual, numbers)

    def _telling(self, groups: Sequence[Group], numbers: Sequence[int]) -> tuple[int, ...]:
        """Return the calls to show: few that distinguish all, and the best for each group beside the likeliest."""
        leaders = [with_one_exception(self.versions[group.members[0]]) for group in groups]
        best = (most_telling(leaders[0], other, numbers, self.calls) for other in leaders[1:])
        few = separating(leaders, numbers, self.calls)
        return tuple(dict.fromkeys((*(number for number in best if number is not None), *few)))

    async def _confirmed(self, groups: Sequence[Group], numbers: Sequence[int]) -> tuple[int, ...]:
        """Return the calls whose outcomes the first member of every group reproduces in a fresh process."""
        held = list(numbers)
        for first in [group.members[0] for group in groups]:
            if not held:
                break
            again = await self.sides[first].tried([self.calls[number] for number in held], alone=True)
            version = self.versions[first]
            held = [number for place, number in enumerate(held) if _is_same(version[number], again.outcomes.get(place))]
        return tuple(held)

    def _weight(self, number: int) -> tuple[int, tuple[int, int, str]]:
        return self.unusual[number], self.calls[number].weight


async def _outcomes(side: ComparedCandidate, calls: Sequence[RecordedCall]) -> Outcomes:
    tried = await side.tried(calls)
    return tuple(tried.outcomes.get(number) for number in range(len(calls)))


def _is_same(one: CallOutcome | None, other: CallOutcome | None) -> bool:
    return one is not None and other is not None and not differ(one, other)
