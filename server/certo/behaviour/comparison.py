"""Distinguishing inputs: the simplest call found for which two candidates have different outcomes.

Candidates that pass the same tests may still be different programs. A user chooses between them by an input on which
they differ, as in oracle-guided synthesis, where an oracle answers such a distinguishing input (Jha, Gulwani, Seshia,
Tiwari, "Oracle-guided component-based program synthesis", 2010). Both run, each in a sandbox of its own, on the calls
that the tests make and on calls near these; a difference is then simplified step by step.
"""

from __future__ import annotations

from collections.abc import Sequence

from certo.behaviour.call import Callee, RecordedCall, callee_of
from certo.behaviour.call_pool import CallPool, plainer, required_number
from certo.behaviour.execution import CallResult, ComparedCandidate, compared_candidate
from certo.behaviour.outcome import CallOutcome, differ, telling, told
from certo.concurrency import side_by_side
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Difference
from certo.vocabulary.errors import CertoError
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass

ROUNDS = 4
"""Number of rounds of simplification."""

MAX_PLAINER = 80
"""Maximum number of simpler calls tried in one round."""

MAX_CONFIRMED = 40
"""Maximum number of differences confirmed in a fresh process."""

BEAM = 4
"""Width of the beam of differences that are simplified: the shortest need not lead to the simplest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of comparing two candidates; `tried` counts the calls with comparable outcomes.

    `base` is the result of the same call in the text before both, "" if that is not known. `reason` explains why there
    is no difference, and is empty if there is one.
    """

    difference: Difference | None = None
    base: str = ""
    tried: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Difference:
    """A call with different outcomes, and both of these."""

    call: RecordedCall
    ours: CallOutcome
    theirs: CallOutcome

    @property
    def rank(self) -> tuple[int, tuple[int, int, str]]:
        """Sort key by which more telling differences come first."""
        return telling(self.ours, self.theirs), self.call.weight


async def find_difference(
    problem: Problem, ours: str, theirs: str, *, executor: Executor, interpreter: Interpreter, seed: int, base: str = ""
) -> Comparison:
    """Search for a call on which two versions of a problem's document differ; deterministic for a seed.

    If there is one, it is made in the text `base` as well.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    name = problem.target.qualname
    if ours == theirs:
        return Comparison(reason="both have the same code")
    one, other = (compared_candidate(problem, text, executor, interpreter) for text in (ours, theirs))
    if one is None or other is None:
        return Comparison(reason=f"one of them has no {name} that could be called")
    callee = callee_of(one.definition, name)
    if callee is None:
        return Comparison(reason=f"{name} cannot be called from outside, so no input can be tried on it")
    before = compared_candidate(problem, base, executor, interpreter) if base else None
    return await _Comparing(name, callee, one, other, seed, before).run()


class _Comparing:
    """State of one comparison."""

    def __init__(
        self,
        name: str,
        callee: Callee,
        ours: ComparedCandidate,
        theirs: ComparedCandidate,
        seed: int,
        base: ComparedCandidate | None,
    ) -> None:
        self._name = name
        self._callee = callee
        self._ours = ours
        self._theirs = theirs
        self._seed = seed
        self._base = base
        self._asked: set[str] = set()
        self._compared = 0
        self._unsteady = 0
        self._opaque = 0
        self._trouble = ""

    async def run(self) -> Comparison:
        """Try the pool, then simplify the differences as long as possible."""
        pool = await self._ours.pool(self._callee, self._seed, (self._theirs,))
        if not pool.calls:
            return Comparison(reason=self._no_input(pool))
        found = await self._differences(pool.calls)
        if not found:
            return Comparison(tried=self._compared, reason=self._no_difference())
        # A simplified call may owe its difference to state left by earlier calls, so the unsimplified ones stay as a
        # fallback for confirmation.
        best = await self._confirmed(sorted([*await self._plainest(found), *found], key=lambda each: each.rank))
        if best is None:
            return Comparison(tried=self._compared, reason=self._no_difference())
        before = await self._before(best.call)
        one, other, *first = told(best.ours, best.theirs, *([before] if before is not None else []))
        return Comparison(
            difference=Difference(call=best.call.text, ours=one, theirs=other),
            base="".join(first),
            tried=self._compared,
        )

    async def _before(self, call: RecordedCall) -> CallOutcome | None:
        """Return the outcome of a call in the text before both; None if it cannot be made there."""
        if self._base is None:
            return None
        try:
            return (await self._base.tried([call], alone=True)).outcomes.get(0)
        except CertoError:
            return None

    async def _plainest(self, found: Sequence[_Difference]) -> list[_Difference]:
        """Return the simplest differences reached from the best ones by repeated simplification."""
        required = required_number(self._callee, self._ours.definition)
        best = sorted(found, key=lambda each: each.rank)[:BEAM]
        for _ in range(ROUNDS):
            fresh = {call.text: call for each in best for call in plainer(each.call, required)}
            calls = sorted((fresh[text] for text in fresh.keys() - self._asked), key=lambda call: call.weight)
            more = sorted([*best, *await self._differences(calls[:MAX_PLAINER])], key=lambda each: each.rank)[:BEAM]
            if more == best:
                break
            best = more
        return best

    async def _confirmed(self, found: Sequence[_Difference]) -> _Difference | None:
        """Return the first difference that is reproduced in fresh processes; None if there is none."""
        finds = list({each.call.text: each for each in found}.values())
        again = finds[:MAX_CONFIRMED]
        ours, theirs = await self._tried([each.call for each in again], alone=True)
        for number, each in enumerate(again):
            one, other = ours.outcomes.get(number), theirs.outcomes.get(number)
            if one is not None and other is not None and not differ(one, each.ours) and not differ(other, each.theirs):
                return each
        self._compared -= len(finds)
        self._unsteady += len(finds)
        return None

    async def _differences(self, calls: Sequence[RecordedCall]) -> list[_Difference]:
        """Make calls on both sides; return those with different outcomes, each the same in two runs."""
        if not calls:
            return []
        self._asked.update(call.text for call in calls)
        ours, theirs = await self._tried(calls)
        self._trouble = next((side.trouble for side in (ours, theirs) if not side.outcomes), "")
        found = []
        for number, call in enumerate(calls):
            if number not in ours.outcomes or number not in theirs.outcomes:
                continue
            one, other = ours.outcomes[number], theirs.outcomes[number]
            if one is None or other is None:
                self._unsteady += 1
                continue
            if differ(one, other):
                found.append(_Difference(call=call, ours=one, theirs=other))
            elif one.is_opaque:
                self._opaque += 1
                continue
            self._compared += 1
        return found

    async def _tried(self, calls: Sequence[RecordedCall], *, alone: bool = False) -> tuple[CallResult, CallResult]:
        """Make calls on both sides concurrently."""
        tried: dict[int, CallResult] = {}
        failures: list[CertoError] = []

        async def make(place: int, side: ComparedCandidate) -> None:
            try:
                tried[place] = await side.tried(calls, alone=alone)
            except CertoError as error:
                # Kept out of the task group, which would wrap it in an exception group.
                failures.append(error)

        async with side_by_side() as group:
            group.start_soon(make, 0, self._ours)
            group.start_soon(make, 1, self._theirs)
        if failures:
            raise failures[0]
        return tried[0], tried[1]

    def _no_input(self, pool: CallPool) -> str:
        """Return the reason why there is nothing to try."""
        if self._callee.has_receiver:
            return f"no test calls {self._name} on an object that certo could make again"
        if pool.unwritten:
            kinds = ", ".join(pool.unwritten[:3])
            return f"the tests call {self._name} with values that certo cannot make up: {kinds}"
        given = self._ours.definition.node.args
        if not pool.unmade and any((given.posonlyargs, given.args, given.vararg, given.kwonlyargs, given.kwarg)):
            return f"no test calls {self._name}, and no call of it could be made up"
        if not pool.unmade:
            return f"{self._name} takes no arguments, and no test calls it"
        return f"no test calls {self._name}, and nothing says of what type {', '.join(pool.unmade[:3])} should be"

    def _no_difference(self) -> str:
        """Return the reason why no difference was found."""
        if self._compared:
            unsteady = f", and {self._unsteady} gave another answer each time" if self._unsteady else ""
            opaque = f", and {self._opaque} gave what cannot be looked into" if self._opaque else ""
            return f"none of {self._compared} inputs told them apart{unsteady}{opaque}"
        if self._opaque:
            return f"{self._name} gives what cannot be looked into, so nothing can be compared"
        if self._unsteady:
            return f"{self._name} answers otherwise from one call to the next, so nothing can be compared"
        return f"one of them could not be run: {self._trouble}"
