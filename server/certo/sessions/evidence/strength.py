"""Measuring the strength of the tests of a function as it stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, state_problem
from certo.verification.strength.strength import ASKED, StrengthBudget, measure_strength
from certo.vocabulary.problem import Baseline, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.strength import TestStrength, UnusedTest


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentStrength:
    """The strength of the tests of a function in its current text; `seconds` is the wall time it took."""

    resolved: ResolvedRequest
    strength: TestStrength
    seconds: float


async def strength_of_current(
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    budget: StrengthBudget = ASKED,
) -> CurrentStrength:
    """Run the tests of a function as it is, and then on small changes of it.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    began = time.monotonic()
    problem = await state_problem(resolved, context, say)
    strength = await strength_of(problem, context, say, seed=resolved.settings.search.seed, budget=budget)
    return CurrentStrength(resolved=resolved, strength=strength, seconds=round(time.monotonic() - began, 3))


async def strength_of(
    problem: Problem,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    seed: int,
    budget: StrengthBudget = ASKED,
    changed: Collection[int] = (),
) -> TestStrength:
    """Return the strength of those tests of a stated problem that pass on its text; lines `changed` come first.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    say("running the tests on small changes of it")
    strength = await measure_strength(
        problem,
        problem.text,
        [test.id for test in problem.baseline.passing],
        executor=context.executor,
        interpreter=context.interpreter,
        seed=seed,
        budget=budget,
        changed=changed,
        progress=lambda done, of: say(f"running the tests on small changes of it, {done} of {of}"),
    )
    return with_unused(strength, problem.baseline)


def with_unused(strength: TestStrength, baseline: Baseline, *, green: bool = False) -> TestStrength:
    """Return a strength that names the tests that judge nothing, because they are red or flaky anyway.

    The failing tests of the baseline count for a candidate with which all are `green`.
    """
    failing = () if green else baseline.failing
    red = [UnusedTest(id=test.id, why="it fails on the function as it is") for test in failing]
    aside = [
        UnusedTest(id=test.id, why="it is flaky" if test.is_flaky else "it fails for a reason outside the function")
        for test in baseline.set_aside
    ]
    return replace(strength, unused=(*red, *aside, *strength.unused))
