"""Witnesses: for each mutant that no test notices, the simplest call found on which it differs from the original.

A mutant without one may be equivalent, so it is not counted: nobody has to study it. Usual calls, which resemble those
of the tests, come before unusual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from certo.behaviour.call import Callee, RecordedCall
from certo.behaviour.call_pool import CallPool, plainer, required_number
from certo.behaviour.execution import ComparedCandidate, ObservedOutcomes, Outcomes, observe
from certo.behaviour.outcome import CallOutcome, differ, is_slight, telling, told
from certo.behaviour.typicality import is_typical
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit

MAX_SIMPLER = 120
"""Maximum number of simpler calls than those of the tests that are tried at first."""

MAX_PLAINER = 240
"""Maximum number of simpler calls tried in one round."""

ROUNDS = 4
"""Number of rounds of simplification."""

TOGETHER = 8
"""Number of mutants that are compared in one run."""

BEAM = 3
"""Number of calls that are kept for each mutant: the shortest need not lead to the simplest."""

Edits = Sequence[TextEdit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """A call with the result of the original, and of a mutant; `unusual` if it is unlike all calls of the tests."""

    call: RecordedCall
    now: CallOutcome
    changed: CallOutcome
    unusual: bool

    @property
    def rank(self) -> tuple[bool, int, tuple[int, int, str]]:
        """Sort key by which usual calls, telling differences and simple calls come first."""
        return self.unusual, telling(self.now, self.changed), self.call.weight

    @property
    def words(self) -> tuple[str, str]:
        """The two results in words that differ."""
        now, changed = told(self.now, self.changed)
        return now, changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnesses:
    """The witness of each mutant by its number. The others made no difference on `calls` calls.

    `unsettled` are mutants that were not compared to the end, or whose difference was not seen again.
    """

    found: dict[int, Witness] = field(default_factory=dict)
    calls: int = 0
    unsettled: frozenset[int] = frozenset()


async def find_witnesses(
    side: ComparedCandidate, callee: Callee, mutants: Sequence[Edits], pool: CallPool
) -> Witnesses:
    """Search the calls of a pool, and simpler ones, for one that shows each mutant, edits of the text of `side`.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    if not mutants:
        return Witnesses()
    return await _WitnessSearch(side, callee, mutants, pool).run()


class _WitnessSearch:
    """State of one search: the simplest calls found for each mutant, by its number."""

    def __init__(
        self,
        side: ComparedCandidate,
        callee: Callee,
        mutants: Sequence[Edits],
        pool: CallPool,
    ) -> None:
        self._side = side
        self._mutants = mutants
        self._pool = pool
        self._is_typical: Callable[[RecordedCall], bool] = is_typical(pool.known)
        self._required = required_number(callee, side.definition)
        self._best: dict[int, list[Witness]] = {}
        self._asked: set[str] = set()

    async def run(self) -> Witnesses:
        """Try the pool, simplify what differs, and see it again in fresh processes."""
        plain = [call for known in self._pool.known for call in plainer(known, self._required)]
        calls = list({call.text: call for call in (*self._pool.calls, *plain[:MAX_SIMPLER])}.values())
        if not calls:
            return Witnesses()
        compared, missing = await self._look(range(len(self._mutants)), calls)
        await self._simplify()
        found = await self._confirmed()
        return Witnesses(found=found, calls=compared, unsettled=frozenset(missing | {*self._best} - {*found}))

    async def _look(self, mutants: Sequence[int], calls: Sequence[RecordedCall]) -> tuple[int, set[int]]:
        """Make calls of the original and of some mutants, and keep the best that differ.

        Return the number of calls that could be compared, and the mutants that were not run. First the original alone
        makes all calls, twice and in both orders, so that no mutant is asked one that it answers otherwise each time,
        or never. Then the mutants make the others, a few in one run, so that a run ends by count and not by time.
        """
        self._asked.update(call.text for call in calls)
        steady = [calls[number] for number, _ in _steady(await observe(self._side, [()], calls))]
        missing: set[int] = set()
        for start in range(0, len(mutants), TOGETHER) if steady else ():
            some = mutants[start : start + TOGETHER]
            seen = await observe(self._side, [self._mutants[mutant] for mutant in some], steady)
            for mutant, outcomes in zip(some, seen.versions, strict=False):
                self._keep(mutant, steady, seen.before, outcomes)
            missing.update(some[len(seen.versions) :])
        return len(steady), missing

    def _keep(self, mutant: int, calls: Sequence[RecordedCall], before: Outcomes, after: Outcomes) -> None:
        """Keep the best calls on which a mutant differs from the original."""
        fresh = [
            Witness(call=call, now=now, changed=changed, unusual=self._is_unusual(call))
            for call, now, changed in zip(calls, before, after, strict=True)
            if now is not None and changed is not None and _shows(now, changed)
        ]
        if fresh:
            every = {witness.call.text: witness for witness in (*self._best.get(mutant, ()), *fresh)}
            self._best[mutant] = sorted(every.values(), key=lambda witness: witness.rank)[:BEAM]

    def _is_unusual(self, call: RecordedCall) -> bool:
        return call.strange or not self._is_typical(call)

    async def _simplify(self) -> None:
        """Replace the calls by simpler ones as long as these still differ."""
        for _ in range(ROUNDS):
            before = {mutant: witnesses[0].rank for mutant, witnesses in self._best.items()}
            if not before:
                return
            calls = list(self._plainer())[:MAX_PLAINER]
            if not calls:
                return
            await self._look(sorted(before), calls)
            if all(self._best[mutant][0].rank == rank for mutant, rank in before.items()):
                return

    def _plainer(self) -> Iterator[RecordedCall]:
        """Yield simpler calls that were not made, of each mutant in turn."""
        seen = set(self._asked)
        wells = [
            (call for witness in self._best[mutant] for call in plainer(witness.call, self._required))
            for mutant in sorted(self._best)
        ]
        while wells:
            for well in list(wells):
                call = next(well, None)
                if call is None:
                    wells.remove(well)
                elif call.text not in seen:
                    seen.add(call.text)
                    yield call

    async def _confirmed(self) -> dict[int, Witness]:
        """Return for each mutant the best call that differs again, each made in a process of its own."""
        calls = {witness.call.text: witness.call for found in self._best.values() for witness in found}
        if not calls:
            return {}
        texts, mutants = list(calls), sorted(self._best)
        found: dict[int, Witness] = {}
        for start in range(0, len(mutants), TOGETHER):
            some = mutants[start : start + TOGETHER]
            # The original is a version too, for what it answers the second time says which calls can be compared.
            versions = [(), *(self._mutants[mutant] for mutant in some)]
            seen = await observe(self._side, versions, list(calls.values()), alone=True)
            steady = dict(_steady(seen))
            for mutant, outcomes in zip(some, seen.versions[1:], strict=False):
                for witness in self._best[mutant]:
                    number = texts.index(witness.call.text)
                    now, changed = steady.get(number), outcomes[number]
                    if now is None or changed is None or differ(now, witness.now) or differ(changed, witness.changed):
                        continue
                    found[mutant] = witness
                    break
        return found


def _steady(seen: ObservedOutcomes) -> list[tuple[int, CallOutcome]]:
    """Return the calls that the original answers the same each time, with the answer, as far as it can be inspected."""
    if not seen.versions:
        return []
    return [
        (number, before)
        for number, (before, first, second) in enumerate(zip(seen.before, seen.versions[0], seen.again, strict=True))
        if before is not None
        and before.kind != "endless"
        and first is not None
        and second is not None
        and not differ(before, first)
        and not differ(before, second)
    ]


def _shows(now: CallOutcome, changed: CallOutcome) -> bool:
    """True if a test of the call would notice the change."""
    return differ(now, changed) and not is_slight(now, changed) and not (now.is_opaque or changed.is_opaque)
