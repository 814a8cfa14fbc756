"""Whether red tests that a candidate turns green are red without it and green with it, run after run.

The baseline runs them twice, and a test that fails half of the time looks red for good in every fourth one. So when a
candidate first passes, the text as it is has to fail its red tests again and again, and the candidate to pass them:
each run that says otherwise halves, for such a test, what chance is left to it. It takes a process that is prepared
for the tests anyway.
"""

from __future__ import annotations

import anyio

from certo.criteria.together import at_once
from certo.verification.hearing import Hearing, was_cut_short
from certo.verification.running import Ground, Selection, run_program
from certo.verification.warmth import files_of
from certo.verification.wavering import SECONDS
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import KnownTest, Problem
from certo.vocabulary.verdict import Ruling

RUNS_BEFORE = 4
"""How often the text as it is has to fail its red tests, once in a search."""

RUNS_WITH = 2
"""How often each candidate has to pass them besides."""


class Steadiness:
    """What is known of the red tests of one problem after another; each is asked for its own text once."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._problem: Problem | None = None
        self._before: frozenset[str] = frozenset()

    async def wavering(self, ground: Ground, candidate: Candidate, problem: Problem, seconds: float) -> frozenset[str]:
        """The ids of pytest's tests, red at first, that stand otherwise in another run on the same text.

        `seconds` is how long all tests of the baseline take. Where that is long they run again once on the text as it
        is, and of these only the files with red ones.

        Raises:
            BrokenWorld: nothing can be run at all.
        """
        known = [test for test in problem.baseline.tests if not test.is_doctest and not was_cut_short(test.message)]
        red = frozenset(test.id for test in known if test.ruling is Ruling.FAILED)
        if not red:
            return red
        often = int(SECONDS / max(seconds, 0.001))
        again = _again(known, red, whole=often > 0)
        async with self._lock:
            if self._problem is not problem:
                self._before = await self._unlike_before(ground, problem, again, red, min(RUNS_BEFORE, max(1, often)))
                self._problem = problem
        if self._before:
            return self._before
        runs = min(RUNS_WITH, often)
        return await _standing(ground.under(candidate), candidate.text, again, red, Ruling.FAILED, runs)

    async def _unlike_before(
        self, ground: Ground, problem: Problem, again: tuple[str, ...], red: frozenset[str], runs: int
    ) -> frozenset[str]:
        """The red tests that pass on the text as it is, in one of so many runs; a hole is expected to pass nothing."""
        if problem.target.is_hole:
            return frozenset()
        return await _standing(ground, problem.text, again, red, Ruling.PASSED, runs)


def _again(known: list[KnownTest], red: frozenset[str], *, whole: bool) -> tuple[str, ...]:
    """What is run again: all tests, for one may stand otherwise without those before it, or the files with red ones."""
    files = {name.partition("::")[0] for name in red}
    return tuple(test.id for test in known if whole or test.id.partition("::")[0] in files)


async def _standing(
    ground: Ground, text: str, ids: tuple[str, ...], red: frozenset[str], ruling: Ruling, runs: int
) -> frozenset[str]:
    """The `red` tests that stand so in one of so many runs, which go on side by side until one says so."""

    async def once() -> frozenset[str]:
        hearing = Hearing()
        selection = Selection(paths=files_of(ids), ids=ids)
        await run_program("suite", ground, text, selection, hearing, seconds=ground.options.total_seconds)
        return red.intersection(name for name, told in hearing.tests.items() if told.ruling is ruling)

    heard = await at_once([once] * runs, lambda heard: any(heard.values()))
    return frozenset().union(*heard.values())
