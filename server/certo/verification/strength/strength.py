"""Measurement of test strength: mutants run on the tests, and those that none notices are held against calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from certo.behaviour.call import Callee, callee_of
from certo.behaviour.call_pool import pool_of
from certo.behaviour.execution import ComparedCandidate, compared_candidate
from certo.edits.patch import apply_edits
from certo.edits.positions import split_lines
from certo.sandbox.executor import Executor, Interpreter
from certo.verification.strength.live_witnesses import LiveWitnesses, find_live_witnesses
from certo.verification.strength.mutation_run import JudgedMutant, MutationRun, judge_mutants
from certo.verification.strength.witnesses import Witness, Witnesses, find_witnesses
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.strength import Gap, TestStrength
from certo.vocabulary.text import TextEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthBudget:
    """The most that one measurement may take: so many mutants, and so many seconds for running the tests on them."""

    mutants: int
    seconds: float


ASKED = StrengthBudget(mutants=400, seconds=30.0)
"""The budget of a measurement that somebody waits for."""

BESIDE = StrengthBudget(mutants=60, seconds=5.0)
"""The budget of a measurement in the background."""


async def measure_strength(
    problem: Problem,
    text: str,
    tests: Sequence[str],
    *,
    executor: Executor,
    interpreter: Interpreter,
    seed: int,
    budget: StrengthBudget = ASKED,
    changed: Collection[int] = (),
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> TestStrength:
    """Return how many small changes of the target in `text` the `tests` notice, which pass on it.

    The same seed gives the same result, unless the seconds of the budget run out. Mutants of the lines `changed` come
    first. `progress` is told how many mutants have run, and of how many.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    name = problem.target.short_name
    side = compared_candidate(problem, text, executor, interpreter)
    if side is None:
        return TestStrength(reason=f"there is no {name} that could be changed")
    if not tests:
        return TestStrength(reason=f"no test of {name} passes, so there is nothing to measure")
    run = await judge_mutants(
        side,
        tests,
        mutants=budget.mutants,
        seconds=budget.seconds,
        seed=seed,
        changed=changed,
        progress=progress,
    )
    unnoticed = [mutant for mutant in run.mutants if mutant.result == "unnoticed"]
    callee = callee_of(side.definition, problem.target.qualname)
    witnesses = await _witnesses(side, callee, unnoticed, run)
    unshown = [mutant for number, mutant in enumerate(unnoticed) if number not in witnesses.found]
    live = LiveWitnesses()
    if unshown and callee is not None and run.unwritten:
        live = await find_live_witnesses(side, unshown)
    gaps = (*_gaps(text, unnoticed, witnesses), *_live_gaps(text, unshown, live))
    calls = witnesses.calls + live.calls
    noticed = len(run.mutants) - len(unnoticed)
    return TestStrength(
        noticed=noticed,
        of=noticed + len(gaps),
        endless=sum(mutant.result == "endless" for mutant in run.mutants),
        gaps=gaps,
        uncounted=len(unnoticed) - len(gaps),
        unsettled=_unsettled(unnoticed, witnesses, live),
        calls=calls,
        tried=len(run.mutants),
        possible=max(run.possible, len(run.mutants)),
        tests=max(0, len({*tests}) - len({test.id for test in run.unused})),
        unused=tuple(run.unused),
        reason=(run.reason or _nothing(name)) if not run.mutants else "",
        without_calls=_without_calls(callee, run, live) if unnoticed and not calls else "",
    )


def _unsettled(unnoticed: Sequence[JudgedMutant], witnesses: Witnesses, live: LiveWitnesses) -> int:
    """Return the number of mutants without a gap that were not compared to the end."""
    unshown = [number for number in range(len(unnoticed)) if number not in witnesses.found]
    late = {unshown[place] for place in live.unsettled} | witnesses.unsettled
    return len(late - {unshown[place] for place in live.found})


def _nothing(name: str) -> str:
    return f"certo knows no small change of {name} that could matter, or had no time to try one"


def _without_calls(callee: Callee | None, run: MutationRun, live: LiveWitnesses) -> str:
    """Return the reason why no call could be made to see if changes matter."""
    if callee is None:
        return "it cannot be called from outside"
    if run.unwritten:
        types = ", ".join(dict.fromkeys(run.unwritten))
        return f"no expression makes its arguments ({types}), and where the tests call it, {live.reason}"
    return "nothing is known of its arguments; a test that calls it or an annotation would help"


async def _witnesses(
    side: ComparedCandidate, callee: Callee | None, unnoticed: Sequence[JudgedMutant], run: MutationRun
) -> Witnesses:
    if callee is None:
        return Witnesses()
    return await find_witnesses(side, callee, [mutant.edits for mutant in unnoticed], pool_of(callee, run.calls))


def _gaps(text: str, unnoticed: Sequence[JudgedMutant], witnesses: Witnesses) -> tuple[Gap, ...]:
    """Return the gaps, those with usual calls first; of those that one call shows, the simplest change leads."""
    found = [(witnesses.found[number], unnoticed[number]) for number in sorted(witnesses.found)]
    found.sort(key=lambda pair: (pair[0].unusual, pair[1].line))
    gaps: list[Gap] = []
    calls: set[str] = set()
    for witness, mutant in found:
        gaps.append(_gap(text, mutant, witness, same_call=witness.call.text in calls))
        calls.add(witness.call.text)
    return tuple(gaps)


def _live_gaps(text: str, unshown: Sequence[JudgedMutant], live: LiveWitnesses) -> tuple[Gap, ...]:
    """Return the gaps that a call of a test shows; of those that one call shows, the first leads."""
    gaps: list[Gap] = []
    calls: set[tuple[str, str]] = set()
    for place, one in sorted(live.found.items(), key=lambda pair: unshown[pair[0]].line):
        before, after = changed_lines_of(text, unshown[place].edits)
        # The mutant stands where an older version does in other comparisons.
        gaps.append(
            Gap(
                line=unshown[place].line,
                kind=unshown[place].kind,
                before=before,
                after=after,
                call=one.call,
                where=one.where,
                now=one.now,
                changed=one.before,
                same_call=(one.call, one.where) in calls,
            )
        )
        calls.add((one.call, one.where))
    return tuple(gaps)


def _gap(text: str, mutant: JudgedMutant, witness: Witness, *, same_call: bool) -> Gap:
    before, after = changed_lines_of(text, mutant.edits)
    now, changed = witness.words
    return Gap(
        line=mutant.line,
        kind=mutant.kind,
        before=before,
        after=after,
        call=witness.call.text,
        now=now,
        changed=changed,
        unusual=witness.unusual,
        same_call=same_call,
    )


def changed_lines_of(text: str, edits: Sequence[TextEdit]) -> tuple[str, str]:
    """Return the lines that differ, without and with some edits, in one line each; the latter may be empty."""
    before, after = split_lines(text), split_lines(apply_edits(text, edits))
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    last = 0
    while last < min(len(before), len(after)) - same and before[-1 - last] == after[-1 - last]:
        last += 1
    return _joined(before[same : len(before) - last]), _joined(after[same : len(after) - last])


def _joined(lines: Sequence[str]) -> str:
    return " ".join(" ".join(line.split()) for line in lines if line.strip())
